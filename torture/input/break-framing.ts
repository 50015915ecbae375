import type { Blueprint } from "../api/blueprint.ts";
import type { Random } from "../random.ts";
import { always, type Breakage, type Broken, hasBody, toBytes, toDraft } from "./draft.ts";

/**
 * Requests that end too early or never become one: Node.js decides that, and the answer is ours. Hanging up is a
 * good answer to them.
 */
export const framingBreakages: readonly Breakage[] = [
  {
    name: "cut off",
    appliesTo: always,
    make: (blueprint, random) => {
      const bytes = toBytes(toDraft(blueprint));
      return unclear(bytes.subarray(0, random.integer(1, bytes.length - 1)));
    },
  },
  {
    name: "body shorter or longer than it says",
    appliesTo: hasBody,
    make: (blueprint, random) => {
      const draft = toDraft(blueprint);
      const length = draft.body?.length ?? 0;
      const said = random.pick([length + 1, length + 100_000, Math.max(0, length - 1), 0, 1e10]);
      const headers = [...draft.headers, ["Content-Length", String(said)]] as const;
      return unclear(toBytes({ ...draft, headers }));
    },
  },
  {
    name: "not HTTP, or hardly",
    appliesTo: always,
    make: (blueprint, random) => unclear(strangers(blueprint, random)),
  },
];

function unclear(bytes: Buffer): Broken {
  return { operation: undefined, bytes, isWhole: false, mayHangUp: true };
}

function strangers({ operation }: Blueprint, random: Random): Buffer {
  const line = `${operation.method} ${operation.path}`;
  const texts = [
    "GARBAGE\r\n\r\n",
    "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
    `${line} HTTP/1.0\r\n\r\n`,
    `${line} HTTP/2.0\r\nHost: x\r\n\r\n`,
    `${line} HTTP/1.1\r\n\r\n`,
    `${line} HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`,
    `${line} HTTP/1.1\r\nHost: x\r\nX-Broken: a\u0000b\r\n\r\n`,
    `${line} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  ];
  return Buffer.from(random.pick(texts), "latin1");
}
