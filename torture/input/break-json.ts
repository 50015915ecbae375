import type { Random } from "../random.ts";
import { type Breakage, hasBody, toDraft, whole, withBytes, withHeaders } from "./draft.ts";
import { toJsonBytes } from "./json-text.ts";

const mebibyte = 1024 * 1024;

/** Bodies that are not JSON, not text, or more than anybody should send. */
export const jsonBreakages: readonly Breakage[] = [
  {
    name: "broken syntax",
    appliesTo: hasBody,
    make: (blueprint, random) => {
      const text = toJsonBytes(blueprint.body).toString("utf8");
      const cut = random.integer(1, Math.max(1, text.length - 1));
      const texts = [
        text.slice(0, cut),
        text.slice(cut),
        `${text}${text}`,
        `${text},`,
        `${text}\u0000`,
        text.replaceAll('"', "'"),
        text.replace("{", "{,"),
        text.replace(/\}$/, ",}"),
        `/* note */${text}`,
        `${text}// note`,
        `<?xml version="1.0"?><a>${cut}</a>`,
        "amount=5000&msisdn=2250700000001",
        "undefined",
        "{",
        "[",
        '"',
        "{]",
        "}{",
        "\\",
        " ",
        "\n\r\t ",
        text.replaceAll(":", "="),
        text.slice(0, cut) + "\u001f" + text.slice(cut),
      ];
      return withBytes(blueprint, Buffer.from(random.pick(texts)));
    },
  },
  {
    name: "not UTF-8",
    appliesTo: hasBody,
    make: (blueprint, random) => {
      const good = toJsonBytes(blueprint.body);
      const place = random.integer(0, good.length);
      const wrong = random.pick([
        [0xff],
        [0xfe, 0xff],
        [0xc0, 0xaf],
        [0xc3],
        [0xe2, 0x82],
        [0xed, 0xa0, 0x80],
        [0xf4, 0x90, 0x80, 0x80],
        [0xf8, 0x88, 0x80, 0x80, 0x80],
        [0x80],
      ]);
      const inside = [good.subarray(0, place), Buffer.from(wrong), good.subarray(place)];
      return withBytes(
        blueprint,
        random.pick([
          Buffer.concat(inside),
          Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), good]),
          Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(good.toString("utf8"), "utf16le")]),
          Buffer.from(good.toString("utf8"), "utf16le"),
          noise(random),
        ]),
      );
    },
  },
  {
    name: "too deep",
    appliesTo: hasBody,
    make: (blueprint, random) => {
      const depth = random.pick([65, 100, 1_000, 20_000, 100_000]);
      const [open, close] = random.pick([
        ["[", "]"],
        ['{"a":', "}"],
        ['[{"transactions":', "}]"],
      ] as const);
      const isClosed = random.isLikely(0.5);
      const text = open.repeat(depth) + (isClosed ? `1${close.repeat(depth)}` : "");
      const root = random.isLikely(0.5) ? text : `{"metadata":${text}}`;
      return withBytes(blueprint, Buffer.from(root));
    },
  },
  {
    name: "too large",
    appliesTo: hasBody,
    make: (blueprint, random) => {
      const isBatch = Array.isArray((blueprint.body as { transactions?: unknown }).transactions);
      const texts: (() => string)[] = [
        () => `{"pad":"${"x".repeat(100_000)}"`,
        () => `[${"0,".repeat(50_000)}0]`,
        () => `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":0`).join(",")}}`,
        () => `{"transactions":[${"{},".repeat(200)}{}]}`,
        () => `{"transactions":[${"null,".repeat(2_000)}0]}`,
        () => `{"amount":${"9".repeat(100_000)}}`,
        () => `"${"\\u0000".repeat(10_000)}"`,
      ];
      const heavy: (() => string)[] = [
        () => `{"pad":"${"x".repeat(mebibyte)}"}`,
        () => "[".repeat(mebibyte + 1),
        () => `{"transactions":[${"{},".repeat(10_000)}{}]}`,
        () => (isBatch ? `{"pad":"${"x".repeat(16 * mebibyte)}"}` : " ".repeat(mebibyte + 1)),
      ];
      const text = random.pick(random.isLikely(0.04) ? heavy : texts)();
      return withBytes(blueprint, Buffer.from(text));
    },
  },
  {
    name: "wrong content type",
    appliesTo: hasBody,
    make: (blueprint, random) => {
      const type = random.pick([
        "text/plain",
        "text/csv",
        "application/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "multipart/form-data",
        "application/octet-stream",
        "application/json-patch+json",
        "application/problem+json",
        "application/jsonx",
        "application",
        "application/",
        "/json",
        "json",
        "*/*",
        ";",
        ",",
        "",
        " ",
        "application/json, text/plain",
        "application/json;",
        "application/json; charset",
        'application/json; charset="',
        "text/plain; application/json",
        "\u00e9/json",
        `application/${"x".repeat(2_000)}`,
        "__proto__/constructor",
      ]);
      return withHeaders(blueprint, [["Content-Type", type]]);
    },
  },
  {
    name: "wrong encoding",
    appliesTo: hasBody,
    make: (blueprint, random) => {
      const encoding = random.pick(["gzip", "deflate", "br", "zstd", "identity, gzip", "x", ""]);
      const draft = toDraft(blueprint);
      return whole(blueprint.operation, {
        ...draft,
        headers: [...draft.headers, ["Content-Encoding", encoding]],
        body: random.pick([noise(random), Buffer.from("1f8b0800", "hex"), Buffer.from("{")]),
      });
    },
  },
  {
    name: "no content type",
    appliesTo: hasBody,
    make: (blueprint, random) => {
      const draft = toDraft(blueprint);
      const headers = draft.headers.filter(([name]) => name !== "Content-Type");
      const body = random.pick([draft.body, noise(random), Buffer.from("{}"), Buffer.alloc(0)]);
      return whole(blueprint.operation, { ...draft, headers, body });
    },
  },
  {
    name: "a body where none is due",
    appliesTo: ({ body }) => body === undefined,
    make: (blueprint, random) => {
      const draft = toDraft(blueprint);
      const type = random.pick(["application/json", "text/plain", "x", ""]);
      const body = random.pick([noise(random), Buffer.from("{"), Buffer.from('{"id":"x"}')]);
      return whole(blueprint.operation, {
        ...draft,
        headers: [...draft.headers, ["Content-Type", type]],
        body,
      });
    },
  },
];

function noise(random: Random): Buffer {
  return Buffer.from(Array.from({ length: random.integer(1, 400) }, () => random.integer(0, 255)));
}
