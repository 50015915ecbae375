import { type Blueprint, toAddress } from "../api/blueprint.ts";
import type { Operation } from "../api/document.ts";
import type { WireRequest } from "../api/wire.ts";
import type { Random } from "../random.ts";
import { toJsonBytes } from "./json-text.ts";

/** A request about to be written, header by header, as its author wants it. */
export interface Draft {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | undefined;
}

/** A request with something wrong in it. */
export interface Broken extends WireRequest {
  /** Whose answers the document describes; undefined when method or address lead elsewhere. */
  readonly operation: Operation | undefined;
  /** Hanging up is an answer too: where a request has no end, or asks for a tunnel. */
  readonly mayHangUp?: boolean;
}

/** One way to break a request. */
export interface Breakage {
  readonly name: string;
  readonly appliesTo: (operation: Operation) => boolean;
  readonly make: (blueprint: Blueprint, random: Random) => Broken;
}

/** The request as it should be. */
export function toDraft(blueprint: Blueprint): Draft {
  const { operation, token, visitor, body } = blueprint;
  return {
    method: operation.method,
    target: toAddress(blueprint),
    headers: [
      ["Host", "127.0.0.1"],
      ...(token === undefined ? [] : [["Authorization", `Bearer ${token}`] as const]),
      ...(visitor === undefined
        ? []
        : [["Cookie", `cauri_console=${visitor.sessionToken}`] as const]),
      ...(body === undefined ? [] : [["Content-Type", "application/json"] as const]),
    ],
    body: body === undefined ? undefined : toJsonBytes(body),
  };
}

/** Every character of method, address and headers is one byte. */
export function toBytes(draft: Draft): Buffer {
  const isMeasured = draft.headers.some(([name]) =>
    /^(?:content-length|transfer-encoding)$/i.test(name),
  );
  const length =
    draft.body === undefined || isMeasured ? [] : [["Content-Length", String(draft.body.length)]];
  const lines = [
    `${draft.method} ${draft.target} HTTP/1.1`,
    ...[...draft.headers, ...length].map(([name, value]) => `${name}: ${value}`),
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  return draft.body === undefined ? head : Buffer.concat([head, draft.body]);
}

/** A draft that still speaks to its operation, with one whole request in it. */
export function whole(operation: Operation | undefined, draft: Draft): Broken {
  return { operation, bytes: toBytes(draft), isWhole: true, isHead: draft.method === "HEAD" };
}

export function withBody(blueprint: Blueprint, body: unknown): Broken {
  return whole(blueprint.operation, toDraft({ ...blueprint, body }));
}

export function withBytes(blueprint: Blueprint, body: Buffer): Broken {
  return whole(blueprint.operation, { ...toDraft(blueprint), body });
}

export function withHeaders(
  blueprint: Blueprint,
  headers: readonly (readonly [name: string, value: string])[],
): Broken {
  const draft = toDraft(blueprint);
  const replaced = new Set(headers.map(([name]) => name.toLowerCase()));
  const kept = draft.headers.filter(([name]) => !replaced.has(name.toLowerCase()));
  return whole(blueprint.operation, { ...draft, headers: [...kept, ...headers] });
}

export const hasBody = ({ body }: Operation): boolean => body !== undefined;
export const always = (): boolean => true;
