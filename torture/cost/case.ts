import type { Wire } from "../api/wire.ts";
import type { Site } from "./site.ts";

/** One way in, and one shape of what is sent there. */
export interface Case {
  readonly name: string;
  /** The longest that is sent; 4n of n, 2n, 4n. */
  readonly most: number;
  /** Makes what is sent, and answers how to send it: making it costs the service nothing. */
  readonly prepare: (site: Site, length: number) => Promise<(wire: Wire) => Promise<Outcome>>;
}

/** Undefined as answer: it hung up, or said nothing for as long as anybody waits. */
export interface Outcome {
  readonly status: number | undefined;
  readonly isSilent: boolean;
}

export interface Ask {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

export async function send(
  wire: Wire,
  { method, target, headers = {}, body = "" }: Ask,
): Promise<Outcome & { readonly location: string }> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const content = Buffer.from(body);
  const length =
    content.length === 0 && method === "GET" ? "" : `content-length: ${content.length}\r\n`;
  const exchange = await wire.send({
    bytes: Buffer.concat([
      Buffer.from(
        `${method} ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join("")}${length}\r\n`,
        "latin1",
      ),
      content,
    ]),
    isWhole: true,
  });
  const answer = exchange.kind === "answered" ? exchange.answers.at(-1) : undefined;
  return {
    status: answer?.status,
    isSilent: exchange.kind === "silent",
    location: answer?.headers.get("location") ?? "",
  };
}

/** A case of one request. */
export function asking(
  name: string,
  most: number,
  make: (site: Site, length: number) => Ask,
): Case {
  return {
    name,
    most,
    prepare: async (site, length) => {
      const ask = make(site, length);
      return (wire) => send(wire, ask);
    },
  };
}
