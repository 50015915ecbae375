import { readFile, stat } from "node:fs/promises";
import { InvalidConfiguration } from "../../../kernel/errors.ts";
import { FileNotReadable } from "../../errors.ts";
import { readable } from "../../files.ts";

export interface SignatureOptions {
  readonly header?: readonly string[];
  readonly headers?: string;
  readonly signature?: string;
  readonly timestamp?: string;
  readonly id?: string;
}

type Headers = Readonly<Record<string, string>>;

const fileMax = 64 * 1_024;

/** Those of a file, then those of -H, then the short forms; the later wins. */
export async function readHeaders(options: SignatureOptions): Promise<Headers> {
  const { header = [], headers: file, signature, timestamp, id } = options;
  const found: Record<string, string> = {};
  const lines = [...(file === undefined ? [] : await linesOf(file)), ...header];
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined)
      throw new InvalidConfiguration([
        `${JSON.stringify(line)} is no header: write "name: value".`,
      ]);
    found[name.toLowerCase()] = value;
  }
  const isStandard = signature?.startsWith("v1,") === true;
  if (signature !== undefined)
    found[isStandard ? "webhook-signature" : (ownHeader(found) ?? "x-service-hmac-sha256")] =
      signature;
  if (timestamp !== undefined) found["webhook-timestamp"] = timestamp;
  if (id !== undefined) found["webhook-id"] = id;
  return found;
}

/** The first line of a request that was recorded whole, and what stands before its blank line, are no headers. */
async function linesOf(file: string): Promise<string[]> {
  await readable(file);
  if ((await stat(file)).size > fileMax) throw new FileNotReadable(file);
  const [head = ""] = (await readFile(file, "utf8")).split(/\r?\n\r?\n/);
  return head
    .split(/\r?\n/)
    .map((line) => line.replace(/^[<>] /, ""))
    .filter((line) => line.trim() !== "" && !/^(?:[A-Z]+ \S+ )?HTTP\/[\d.]+/.test(line));
}

/** Undefined where webhook-signature is there, which says more; otherwise the interface's own header, if there is one. */
export function signatureHeaderOf(headers: Headers): string | undefined {
  return headers["webhook-signature"] === undefined ? ownHeader(headers) : undefined;
}

/** x-service-hmac-sha256, whatever the brand in its name. */
function ownHeader(headers: Headers): string | undefined {
  return Object.keys(headers).find((name) => /^x-.+-hmac-sha256$/.test(name));
}
