import type { Operation } from "../api/document.ts";
import { type Breakage, toDraft, whole } from "./draft.ts";
import { hostileTexts, longTexts } from "./hostile-values.ts";

const forms = {
  code: ["phone", "again"],
  confirm: ["code"],
  change: [],
} as const;

/** The pages for people are not in the document: their addresses and forms stand here. (The console's are in `console.ts`.) */
export const pages: readonly Operation[] = [
  page("GET", "/pay/{token}"),
  page("GET", "/pay/{token}/logo"),
  page("GET", "/wallet"),
  page("GET", "/docs"),
  page("GET", "/verify"),
  page("POST", "/verify"),
  ...Object.keys({ ...forms, cancel: [] }).map((action) => page("POST", `/pay/{token}/${action}`)),
  ...Object.keys({ ...forms, leave: [] }).map((action) => page("POST", `/wallet/${action}`)),
];

export function isPage(operation: Operation): boolean {
  return pages.includes(operation);
}

/** What every address for people has in common, as far as the attacks go. */
export function page(method: string, path: string): Operation {
  return {
    id: `${method} ${path}`,
    method,
    path,
    methods: ["GET", "POST"],
    parameters: Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => ({
      in: "path",
      name,
      required: true,
      schema: { type: "string" },
    })),
    needsToken: false,
    body: undefined,
    bodyExample: undefined,
    statuses: [],
    findProblem: () => undefined,
  };
}

/** Forms that no page of ours would send. */
export const pageBreakages: readonly Breakage[] = [
  {
    name: "hostile form",
    appliesTo: (operation) => isPage(operation) && operation.method === "POST",
    make: (blueprint, random) => {
      const draft = toDraft(blueprint);
      const name = random.pick(["phone", "code", "again", "lang", "__proto__", "x"]);
      const text = random.pick(random.isLikely(0.1) ? longTexts : hostileTexts);
      const fields = new URLSearchParams([
        [name, text],
        [random.pick(["phone", "code", "again", name]), random.pick(hostileTexts)],
      ]).toString();
      const body = random.pick([fields, `${name}=%zz`, `${name}=%00%ff`, "&&=&", text, "1=1"]);
      return whole(blueprint.operation, {
        ...draft,
        headers: [...draft.headers, ["Content-Type", "application/x-www-form-urlencoded"]],
        body: Buffer.from(body),
      });
    },
  },
  {
    name: "hostile cookie or language",
    appliesTo: isPage,
    make: (blueprint, random) => {
      const draft = toDraft(blueprint);
      const value = random.pick([
        "x",
        "2250700000001",
        "2250700000001.x",
        `2250700000001.${"A".repeat(43)}`,
        "9".repeat(3_000),
        "%00",
        "\u00ff",
        "__proto__",
        '"><script>alert(1)</script>',
        "' or 1=1 --",
      ]);
      const query = random.pick([
        "",
        `?lang=${value}`,
        `?cursor=${value}`,
        "?checking=1",
        "?leaving=1&leaving=2",
      ]);
      return whole(blueprint.operation, {
        ...draft,
        target: draft.target + encodeURI(query),
        headers: [
          ...draft.headers,
          ["Cookie", `cauri_wallet=${value}; cauri_wallet_phone=${value}; =; ;`],
          ["Accept-Language", random.pick([value, "xx-YY;q=9, *", "fr;q=x", ","])],
        ],
      });
    },
  },
];
