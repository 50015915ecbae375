import { always, type Breakage, toDraft, whole, withHeaders } from "./draft.ts";

const longest = 15_000;

/** Everything around the body that a client may get wrong, or send on purpose. */
export const headerBreakages: readonly Breakage[] = [
  {
    name: "bad credentials",
    appliesTo: ({ needsToken }) => needsToken,
    make: (blueprint, random) => {
      const { token = "" } = blueprint;
      const value = random.pick([
        "",
        " ",
        "Bearer",
        "Bearer ",
        "Bearer  ",
        token,
        `Basic ${token}`,
        `Bearer ${token}x`,
        `Bearer ${token.slice(0, -1)}`,
        `Bearer ${token.toLowerCase()}`,
        `Bearer "${token}"`,
        `Bearer ${token},${token}`,
        `Bearer ${token} x`,
        "Bearer ' or 1=1 --",
        "Bearer \u00ff\u00fe",
        `Bearer at_${"A".repeat(43)}`,
        `Bearer ${"x".repeat(longest)}`,
        "Bearer null",
        "Digest username=x",
        `Bearer at_${"\u00e9".repeat(43)}`,
      ]);
      return withHeaders(blueprint, [["Authorization", value]]);
    },
  },
  {
    name: "repeated credentials",
    appliesTo: ({ needsToken }) => needsToken,
    make: (blueprint, random) => {
      const wrong = ["Authorization", `Bearer at_${"x".repeat(43)}`] as const;
      const draft = toDraft(blueprint);
      const headers = random.isLikely(0.5) ? [wrong, ...draft.headers] : [...draft.headers, wrong];
      return whole(blueprint.operation, { ...draft, headers });
    },
  },
  {
    name: "bad idempotency key",
    appliesTo: ({ parameters }) => parameters.some(({ name }) => name === "idempotency-key"),
    make: (blueprint, random) => {
      const key = random.pick([
        "",
        " ",
        "\t",
        "\u00e9",
        "\u00ff".repeat(10),
        "x".repeat(256),
        "x".repeat(longest),
        "a\u0001b",
        "a\u007fb",
        "' or 1=1 --",
        "__proto__",
        `k${random.integer(1, 3)}`,
      ]);
      return withHeaders(blueprint, [["Idempotency-Key", key]]);
    },
  },
  {
    name: "another company's name",
    appliesTo: ({ needsToken }) => needsToken,
    make: (blueprint, random) => {
      const value = random.pick([
        "x",
        "null",
        "com_",
        `com_${"0".repeat(32)}`,
        `com_${"f".repeat(32)},com_${"0".repeat(32)}`,
        "' or 1=1 --",
        "\u00ff",
        "x".repeat(longest),
        "__proto__",
      ]);
      return withHeaders(blueprint, [["X-Company-Id", value]]);
    },
  },
  {
    name: "hostile header",
    appliesTo: always,
    make: (blueprint, random) => withHeaders(blueprint, [random.pick(strangeHeaders)]),
  },
  {
    name: "many headers",
    appliesTo: always,
    make: (blueprint, random) => {
      const count = random.pick([100, 500, 1_000, 2_500]);
      const value = random.pick(["", "1", "x".repeat(50)]);
      const isOneName = random.isLikely(0.4);
      const more = Array.from(
        { length: count },
        (_, index) => [isOneName ? "X-Same" : `X-H${index}`, value] as const,
      );
      return withHeaders(blueprint, more);
    },
  },
  {
    name: "long header",
    appliesTo: always,
    make: (blueprint, random) => {
      const length = random.pick([4_000, longest, 17_000, 70_000]);
      const long = "x".repeat(length);
      const header = random.pick<readonly [string, string]>([
        ["X-Long", long],
        [`X-${long}`, "1"],
        ["Cookie", `a=${long}`],
        ["Accept", long],
        ["User-Agent", long],
        ["Accept-Language", `${"en,".repeat(length / 3)}fr`],
        ["X-Correlation-Id", long],
      ]);
      return withHeaders(blueprint, [header]);
    },
  },
  {
    name: "strange correlation id",
    appliesTo: always,
    make: (blueprint, random) => {
      const ids = ["", "a b", '"}{', "\u00e9", "\u001b[31m", "<script>", "x".repeat(200), "a,b"];
      const name = random.pick(["X-Correlation-Id", "X-Request-Id"]);
      return withHeaders(blueprint, [[name, random.pick(ids)]]);
    },
  },
];

const strangeHeaders: readonly (readonly [string, string])[] = [
  ["Expect", "100-continue"],
  ["Expect", "a miracle"],
  ["Expect", ""],
  ["Upgrade", "websocket"],
  ["Upgrade", "h2c"],
  ["Connection", "upgrade"],
  ["Connection", "close, x"],
  ["Connection", "keep-alive, te"],
  ["TE", "trailers, x"],
  ["Trailer", "Authorization"],
  ["Range", "bytes=0-0"],
  ["Range", "bytes=9999999999999-"],
  ["If-None-Match", "*"],
  ["If-Modified-Since", "not a date"],
  ["Accept", "image/png"],
  ["Accept", "application/xml;q=1, */*;q=0"],
  ["Accept-Charset", "utf-16"],
  ["Accept-Encoding", "gzip;q=x"],
  ["Host", ""],
  ["Host", "evil.example"],
  ["Host", "a, b"],
  ["Host", "127.0.0.1:99999"],
  ["Host", "\u00ff"],
  ["Forwarded", "for=1.2.3.4;proto=https;host=evil.example"],
  ["X-Forwarded-For", "1.2.3.4"],
  ["X-Forwarded-For", "not an address"],
  ["X-Forwarded-Host", "evil.example"],
  ["X-Forwarded-Proto", "javascript"],
  ["X-HTTP-Method-Override", "DELETE"],
  ["X-Original-URL", "/metrics"],
  ["X-Rewrite-URL", "/metrics"],
  ["Origin", "https://evil.example"],
  ["Access-Control-Request-Method", "POST"],
  ["Referer", "\u0001"],
  ["Cookie", "__proto__=1; constructor=2"],
  ["Cookie", ";;;==="],
  ["__proto__", "x"],
  ["constructor", "x"],
  ["toString", "x"],
  ["Date", "\u00e9"],
  ["Proxy-Authorization", "Basic eDp5"],
  ["Max-Forwards", "-1"],
  ["Content-MD5", "x"],
  ["Content-Range", "bytes 0-1/2"],
  ["HTTP2-Settings", "AAMAAABkAAQAAP__"],
];
