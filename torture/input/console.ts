import { type ConsolePage, consolePages, doors } from "../api/console-pages.ts";
import type { Operation } from "../api/document.ts";
import type { Random } from "../random.ts";
import { type Breakage, type Draft, toDraft, whole } from "./draft.ts";
import { hostileIds, hostileNames, hostileTexts, longTexts } from "./hostile-values.ts";
import { isPage, page } from "./pages.ts";

const all = [...consolePages, ...doors];
const byOperation: ReadonlyMap<Operation, ConsolePage> = new Map(
  all.map((one) => [page(one.method, one.path), one]),
);

/** Every address of the console, for whoever sends what no browser would. */
export const consoleOperations: readonly Operation[] = [...byOperation.keys()];

export function isConsole(operation: Operation): boolean {
  return byOperation.has(operation);
}

/** Pages, not the API. */
export function isForPeople(operation: Operation): boolean {
  return isPage(operation) || isConsole(operation);
}

/** Whoever has left cannot go on: there the token is always wrong. */
const leaving = "/console/logout";
const takesFile = /\/(?:upload|corrections)$/;
const names = ["cursor", "q", "status", "min", "max", "phone", "days", "lang", "token", "next"];

/** Fields as the page has them, one or two of them spoilt, more than once, or with names that it has not. */
function hostileFields(of: ConsolePage, token: string, random: Random): URLSearchParams {
  const fields = new URLSearchParams({ ...of.fields, token });
  for (const name of Object.keys(of.ids)) fields.set(name, random.pick(hostileIds));
  const known = [...Object.keys(of.fields), ...Object.keys(of.ids), ...names];
  const times = random.integer(1, 4);
  for (let time = 0; time < times; time += 1) {
    const name = random.pick(random.isLikely(0.8) ? known : hostileNames);
    const text = random.pick(random.isLikely(0.05) ? longTexts : hostileTexts);
    if (name === "token") continue;
    if (random.isLikely(0.8)) fields.set(name, text);
    else fields.append(name, text);
  }
  return fields;
}

function filled(draft: Draft, fields: URLSearchParams): Draft {
  // Whoever writes a request line keeps to its length; everything else is tried elsewhere.
  if (draft.method === "GET")
    return { ...draft, target: `${draft.target}?${fields.toString().slice(0, 4_000)}` };
  return {
    ...draft,
    headers: [...draft.headers, ["Content-Type", "application/x-www-form-urlencoded"]],
    body: Buffer.from(fields.toString()),
  };
}

const boundary = "----torture";
const header = "telephone;montant;reference;motif\n";
const contents: readonly (string | Buffer)[] = [
  "",
  header,
  `${header}${"x;".repeat(2_000)}\n`,
  `${header}\u0000;\u0000;\u0000;\u0000\n`,
  `${header}"never closed;5000;r;`,
  `${header}=cmd|'/c calc'!A1;5000;r;<script>alert(1)</script>\n`,
  `${header}2,25E+12;1e309;${"r".repeat(300)};\n`,
  Buffer.from([0x50, 0x4b, 0x03, 0x04, ...Buffer.alloc(200, 0xff)]),
  Buffer.from(header, "utf16le"),
  Buffer.alloc(100_000, 0xff),
  Buffer.alloc(70_000, ";\n"),
];

/** What no page of the console would send, by somebody who is signed in. */
export const consoleBreakages: readonly Breakage[] = [
  {
    name: "hostile fields",
    appliesTo: isConsole,
    make: (blueprint, random) => {
      const { operation, visitor } = blueprint;
      const of = byOperation.get(operation);
      if (of === undefined) throw new Error(`${operation.id} is no page of the console`);
      const token = of.path === leaving ? "x" : (visitor?.formToken ?? "");
      return whole(operation, filled(toDraft(blueprint), hostileFields(of, token, random)));
    },
  },
  {
    name: "hostile file",
    appliesTo: (operation) => isConsole(operation) && takesFile.test(operation.path),
    make: (blueprint, random) => {
      const draft = toDraft(blueprint);
      const name = random.pick(hostileTexts).replaceAll(/["\r\n]/g, "");
      const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
      const end = random.pick([`\r\n--${boundary}--\r\n`, `\r\n--${boundary}\r\n`, "\r\n", ""]);
      const type = random.pick([
        `multipart/form-data; boundary=${boundary}`,
        "multipart/form-data",
      ]);
      return whole(blueprint.operation, {
        ...draft,
        target: `${draft.target}?version=1&token=${blueprint.visitor?.formToken ?? ""}`,
        headers: [...draft.headers, ["Content-Type", type]],
        body: Buffer.concat([
          Buffer.from(head),
          Buffer.from(random.pick(contents)),
          Buffer.from(end),
        ]),
      });
    },
  },
  {
    name: "hostile session",
    appliesTo: isConsole,
    make: (blueprint, random) => {
      const { visitor: _, ...anonymous } = blueprint;
      const draft = toDraft(anonymous);
      const value = random.pick([
        "x",
        "A".repeat(43),
        "A".repeat(44),
        "%00",
        "9".repeat(3_000),
        "é",
      ]);
      const cookie = random.pick([
        `cauri_console=${value}`,
        `cauri_console=${value}; cauri_console=${value}`,
        `__Host-cauri_console=${value}; cauri_device=${value}`,
        `cauri_console="${value}"; =; ;`,
      ]);
      return whole(blueprint.operation, {
        ...draft,
        headers: [...draft.headers, ["Cookie", cookie]],
      });
    },
  },
];
