import { type ConsolePage, consolePages, doors } from "../api/console-pages.ts";
import { pages } from "../input/pages.ts";
import { type Ask, asking, type Case } from "./case.ts";
import { type Shape, textShapes } from "./shapes.ts";
import type { Site } from "./site.ts";

/** What a form of fields may weigh, and one with fifty rows to mend. */
const formMost = 16_000;
const mendMost = 500_000;
const queryMost = 12_000;
const uploadMost = 10_000_000;
const formType = { "content-type": "application/x-www-form-urlencoded" };

/** Whoever sends it is not signed in any more, or somebody else. */
const leaving = /\/(?:logout|end|end-others|companies|second-factor|password)$/;
const takesFile = /\/(?:upload|corrections)$/;

/** Every page and form for people: the console's, those of its door, the payment page and the wallet. */
export function formCases(): Case[] {
  const forPeople = pages.map(({ method, path }) => ({
    method: method as "GET" | "POST",
    path,
    fields: { phone: "", code: "", lang: "", again: "" },
  }));
  return [...consolePages.filter(isRepeatable), ...doors, ...forPeople].flatMap((page) => {
    const path = page.path.replaceAll(/\{[\w-]+\}/g, "draft_01a1ecfe155670008000c6f86bdd6947");
    const names = [...Object.keys(page.fields), "cursor", "q"];
    return page.method === "GET"
      ? names.flatMap((name) => textShapes.map((shape) => query(path, name, shape)))
      : [
          ...names.flatMap((name) => textShapes.map((shape) => field(path, name, shape))),
          ...whole(path),
        ];
  });
}

function isRepeatable({ path }: ConsolePage): boolean {
  return !leaving.test(path) && !takesFile.test(path);
}

function mostOf(path: string): number {
  return path.endsWith("/mend") ? mendMost : formMost;
}

function formOf({ owner }: Site, path: string, body: string): Ask {
  return { method: "POST", target: path, headers: { ...formType, cookie: owner.cookie }, body };
}

function tokenOf({ owner }: Site): string {
  return `token=${encodeURIComponent(owner.formToken)}&`;
}

function field(path: string, name: string, { name: shape, make }: Shape): Case {
  return asking(`POST ${path}, ${name}: ${shape}`, mostOf(path), (site, length) => {
    const text = encodeURIComponent(make(length)).slice(0, length).replace(/%.?$/, "");
    return formOf(site, path, `${tokenOf(site)}${name}=${text}`);
  });
}

function whole(path: string): Case[] {
  const shapes: readonly (readonly [string, (length: number) => string])[] = [
    ["many fields", (length) => "a=1&".repeat(length / 4)],
    ["many empty fields", (length) => "&".repeat(length)],
    [
      "many names",
      (length) => Array.from({ length: length / 8 }, (_, row) => `phone-${row}=`).join("&"),
    ],
    ["percent signs", (length) => `a=${"%".repeat(length)}`],
    ["plus signs", (length) => `a=${"+".repeat(length)}`],
    ["a long name", (length) => "a".repeat(length)],
    ["equals signs", (length) => "=".repeat(length)],
  ];
  return shapes.map(([name, make]) =>
    asking(`POST ${path}, form: ${name}`, mostOf(path), (site, length) =>
      formOf(site, path, tokenOf(site) + make(length - 200)),
    ),
  );
}

function query(path: string, name: string, { name: shape, make }: Shape): Case {
  return asking(`GET ${path}, ?${name}: ${shape}`, queryMost, ({ owner }, length) => ({
    method: "GET",
    target: `${path}?${name}=${encodeURIComponent(make(length)).slice(0, length).replace(/%.?$/, "")}`,
    headers: { cookie: owner.cookie },
  }));
}

const boundary = "----cost";
const part = (name: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;

/** Forms with a file that are all envelope. */
export function envelopeCases(): Case[] {
  const shapes: readonly (readonly [string, (length: number) => string])[] = [
    ["many parts", (length) => `${part("a")}\r\n\r\n1\r\n`.repeat(length / 70)],
    ["many files", (length) => `${part("file")}; filename="a"\r\n\r\n1\r\n`.repeat(length / 90)],
    [
      "a long name of a file",
      (length) => `${part("file")}; filename="${"a".repeat(length)}"\r\n\r\n1\r\n`,
    ],
    [
      "quotes in the name of a file",
      (length) => `${part("file")}; filename="${'\\"'.repeat(length / 2)}\r\n\r\n1\r\n`,
    ],
    ["spaces in a disposition", (length) => `${part("file")};${" ".repeat(length)}x\r\n\r\n1\r\n`],
    [
      "semicolons in a disposition",
      (length) => `${part("file")}${"; a=b".repeat(length / 5)}\r\n\r\n1\r\n`,
    ],
    [
      "percent signs in the name of a file",
      (length) => `${part("file")}; filename*=utf-8''${"%41".repeat(length / 3)}\r\n\r\n1\r\n`,
    ],
    [
      "headers of a part",
      (length) => `${part("file")}${"\r\na: b".repeat(length / 6)}\r\n\r\n1\r\n`,
    ],
    [
      "a header that is folded",
      (length) => `${part("file")}${"\r\n b".repeat(length / 4)}\r\n\r\n1\r\n`,
    ],
    [
      "boundaries, nearly",
      (length) =>
        `${part("file")}; filename="a"\r\n\r\n${`\r\n--${boundary.slice(0, -1)}`.repeat(length / 11)}`,
    ],
    ["line ends", (length) => `${part("file")}; filename="a"\r\n\r\n${"\r\n".repeat(length / 2)}`],
    ["minus signs", (length) => `${part("file")}; filename="a"\r\n\r\n${"-".repeat(length)}`],
    ["boundaries alone", (length) => `--${boundary}\r\n`.repeat(length / 12)],
    ["a long field", (length) => `${part("a")}\r\n\r\n${"a".repeat(length)}`],
  ];
  return shapes.map(([name, make]) =>
    asking(`POST /console/payroll/upload, envelope: ${name}`, uploadMost, ({ owner }, length) => ({
      method: "POST",
      target: `/console/payroll/upload?token=${encodeURIComponent(owner.formToken)}`,
      headers: {
        cookie: owner.cookie,
        "content-type": `multipart/form-data; boundary=${boundary}`,
      },
      body: `${make(length - 500)}\r\n--${boundary}--\r\n`,
    })),
  );
}
