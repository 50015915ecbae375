import type { Blueprint } from "../api/blueprint.ts";
import type { Random } from "../random.ts";
import {
  always,
  type Breakage,
  type Broken,
  type Draft,
  hasBody,
  toBytes,
  toDraft,
} from "./draft.ts";

/** Bytes of which nobody can say for sure where the request ends. Hanging up is a good answer to them. */
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
      const said = random.pick([
        String(length + 1),
        String(length + 100_000),
        String(Math.max(0, length - 1)),
        "0",
        "-1",
        "+5",
        "0x10",
        "1e3",
        "5, 5",
        "5 5",
        "",
        "many",
        "99999999999999999999",
        `${"0".repeat(100)}5`,
      ]);
      return measured(draft, [["Content-Length", said]]);
    },
  },
  {
    name: "two lengths",
    appliesTo: hasBody,
    make: (blueprint, random) => {
      const draft = toDraft(blueprint);
      const length = String(draft.body?.length ?? 0);
      const headers = random.pick<readonly (readonly [string, string])[]>([
        [
          ["Content-Length", length],
          ["Content-Length", "0"],
        ],
        [
          ["Content-Length", length],
          ["Content-Length", length],
        ],
        [
          ["Content-Length", length],
          ["Transfer-Encoding", "chunked"],
        ],
        [
          ["Transfer-Encoding", "chunked"],
          ["Content-Length", "4"],
        ],
        [["Transfer-Encoding", "chunked, identity"]],
        [["Transfer-Encoding", "identity"]],
        [["Transfer-Encoding", "xchunked"]],
        [["Transfer-Encoding", "chunked\u000b"]],
        [["Transfer-Encoding", "gzip, chunked"]],
        [
          ["Transfer-Encoding", "chunked"],
          ["Transfer-Encoding", "identity"],
        ],
        [["Transfer-Encoding ", "chunked"]],
      ]);
      return measured(draft, headers);
    },
  },
  {
    name: "broken chunks",
    appliesTo: hasBody,
    make: (blueprint, random) => {
      const draft = toDraft(blueprint);
      const body = draft.body ?? Buffer.alloc(0);
      return measured({ ...draft, body: chunked(body, random) }, [
        ["Transfer-Encoding", "chunked"],
      ]);
    },
  },
  {
    name: "not HTTP",
    appliesTo: always,
    make: (blueprint, random) => unclear(strangers(blueprint, random)),
  },
  {
    name: "lines that end with LF only",
    appliesTo: always,
    make: (blueprint, random) => {
      const draft = toDraft(blueprint);
      const bytes = toBytes(draft);
      const headLength = bytes.length - (draft.body?.length ?? 0);
      const head = bytes.toString("latin1", 0, headLength);
      const bare = random.isLikely(0.5)
        ? head.replaceAll("\r\n", "\n")
        : head.replace("\r\n", "\n");
      return unclear(Buffer.concat([Buffer.from(bare, "latin1"), bytes.subarray(headLength)]));
    },
  },
  {
    name: "a second request behind the first",
    appliesTo: always,
    make: (blueprint, random) => {
      const bytes = toBytes(toDraft(blueprint));
      const second = random.pick([
        bytes,
        Buffer.from("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
        Buffer.from("\r\n\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
        Buffer.from("GARBAGE\r\n\r\n"),
        Buffer.from([0, 1, 2, 3]),
      ]);
      // The first is broken too: its key is not one that may be sent.
      const first = toBytes(withoutToken(toDraft(blueprint)));
      return unclear(Buffer.concat([first, second]));
    },
  },
];

function unclear(bytes: Buffer): Broken {
  return { operation: undefined, bytes, isWhole: false, mayHangUp: true };
}

function measured(draft: Draft, headers: readonly (readonly [string, string])[]): Broken {
  return unclear(toBytes({ ...draft, headers: [...draft.headers, ...headers] }));
}

function withoutToken(draft: Draft): Draft {
  return { ...draft, headers: draft.headers.filter(([name]) => name !== "Authorization") };
}

function chunked(body: Buffer, random: Random): Buffer {
  const size = body.length.toString(16);
  const half = Math.floor(body.length / 2);
  const first = body.subarray(0, half);
  const last = "0\r\n\r\n";
  const texts: readonly (readonly (string | Buffer)[])[] = [
    [size, "\r\n", body, "\r\n"],
    [size, "\r\n", first],
    [`${size}g`, "\r\n", body, "\r\n", last],
    ["-1", "\r\n", body, "\r\n", last],
    ["ffffffffffffffffff", "\r\n", body, "\r\n", last],
    ["7fffffff", "\r\n", body],
    [(body.length + 5).toString(16), "\r\n", body, "\r\n", last],
    [Math.max(0, body.length - 5).toString(16), "\r\n", body, "\r\n", last],
    [size, "\n", body, "\n", "0\n\n"],
    [size, ";a=", "x".repeat(random.integer(1, 20_000)), "\r\n", body, "\r\n", last],
    [size, ";\r\n", body, "\r\n", last],
    [size, "\r\n", body, "\r\n", "0\r\nAuthorization: Bearer x\r\nContent-Length: 3\r\n\r\n"],
    ["", "\r\n", body, "\r\n", last],
    ["0x", size, "\r\n", body, "\r\n", last],
    [...Array.from({ length: 300 }, () => "1\r\n[\r\n"), last],
    [last, last, last],
  ];
  return Buffer.concat(random.pick(texts).map((part) => Buffer.from(part)));
}

function strangers({ operation }: Blueprint, random: Random): Buffer {
  const texts = [
    "GARBAGE\r\n\r\n",
    "\r\n\r\n",
    "\u0000\u0000\u0000\u0000",
    `${operation.method} ${operation.path}\r\n\r\n`,
    `${operation.method} ${operation.path} HTTP/0.9\r\n\r\n`,
    `${operation.method} ${operation.path} HTTP/1.0\r\n\r\n`,
    `${operation.method} ${operation.path} HTTP/1.2\r\nHost: x\r\n\r\n`,
    `${operation.method} ${operation.path} HTTP/2.0\r\nHost: x\r\n\r\n`,
    `${operation.method} ${operation.path} HTTP/1.1\r\n\r\n`,
    `${operation.method}  ${operation.path}  HTTP/1.1\r\nHost: x\r\n\r\n`,
    `${operation.method}\t${operation.path} HTTP/1.1\r\nHost: x\r\n\r\n`,
    ` ${operation.method} ${operation.path} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `${operation.method} ${operation.path} HTTP/1.1 x\r\nHost: x\r\n\r\n`,
    `${operation.method} ${operation.path} HTTPS/1.1\r\nHost: x\r\n\r\n`,
    `${operation.method} ${operation.path} HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`,
    `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000",
    "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
    "SSH-2.0-OpenSSH_9.2\r\n",
    "EHLO example.com\r\n",
    "\u0000\u0000\u0000\u0008\u0004\u00d2\u0016\u002f",
    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
  ];
  if (random.isLikely(0.2))
    return Buffer.from(
      Array.from({ length: random.integer(1, 600) }, () => random.integer(0, 255)),
    );
  return Buffer.from(random.pick(texts), "latin1");
}
