import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { describedErrors, describeErrors } from "../scripts/describe-errors.ts";
import { describeApiDocument } from "../src/api-document.ts";
import { describeSchema } from "../src/database/describe-schema.ts";
import { packageRoot } from "../src/kernel/root.ts";
import { version } from "../src/kernel/version.ts";
import { makeDatabase } from "./fixtures.ts";
import { notOnCluster } from "./on-cluster.ts";

/**
 * The architecture: a file imports from its own folder and from earlier groups; never from a later one,
 * never from a neighbour of its own group.
 */
const groups = [
  ["kernel"],
  ["secret-settings"],
  ["settings-reader"],
  ["config"],
  ["pdf", "spreadsheets"],
  ["egress"],
  ["database"],
  ["tracing"],
  ["queues", "lanes"],
  ["http"],
  ["pages"],
  ["idempotency", "quotas"],
  ["ledger"],
  ["trail"],
  ["companies", "customers", "messages", "webhooks"],
  ["staff", "transfers", "charges", "requests"],
  ["statements", "payouts", "backup", "listening"],
  ["approvals"],
  ["access", "payrolls", "operations", "audits"],
  ["checkout", "console", "cli"],
  ["reference"],
  ["processes"],
  "api-document app audit-checks banner changed-settings demo-company gauges housekeeping main open-desk open-test-sender"
    .concat(" serve serve-many serve-process set-metrics workers")
    .split(" "),
];
const top = groups.length - 1;

const linesMax = 300;
const sources = filesBelow("src").filter((path) => /\.tsx?$/.test(path));
const programs = sources.filter((path) => !/\.test\.tsx?$/.test(path));

test("imports go one way", () => {
  const wrong = programs.flatMap((path) =>
    importsOf(path)
      .filter((target) => !mayImport(path, target))
      .map((target) => `${path} imports ${target}`),
  );

  expect(wrong).toEqual([]);
});

test("no file imports itself, however far round", () => {
  expect(circles()).toEqual([]);
});

test("SQL stands in stores, in what the audit looks for, and in the database's own folder", () => {
  const homes = /(?:^|[-/])store\.ts$|\/audit(?:-[a-z]+)?\.ts$|^src\/(?:audits|database)\//;
  const others = programs.filter((path) => !homes.test(path) && /\bsql`/.test(read(path)));

  expect(others).toEqual([]);
});

test("errors stand in errors.ts; the two that all others extend have files of their own", () => {
  const homes = /\/errors\.ts$|^src\/kernel\/(?:domain|operator)-error\.ts$/;
  const others = programs.filter(
    (path) => !homes.test(path) && /class \w+ extends \w*Error\b/.test(read(path)),
  );

  expect(others).toEqual([]);
});

test("a folder's SQL is its own: nobody else imports its store", () => {
  const wrong = programs.flatMap((path) =>
    importsOf(path)
      .filter((target) => /(?:^|[-/])store\.ts$/.test(target) && dirname(target) !== dirname(path))
      .map((target) => `${path} imports ${target}`),
  );

  expect(wrong).toEqual([]);
});

test(`no file is longer than ${linesMax} lines`, () => {
  const files = [
    ...sources,
    ...filesBelow("test"),
    ...filesBelow("bench"),
    ...filesBelow("torture"),
    ...filesBelow("scripts"),
    ...["src", "test", "examples"].flatMap((folder) => filesBelow(`sdk/${folder}`)),
  ];
  const long = files
    // Made by npm run dump, and read by nobody line by line.
    .filter((path) => path !== "sdk/src/api.ts")
    .filter((path) => /\.(?:ts|tsx|mjs)$/.test(path))
    .filter((path) => read(path).split("\n").length > linesMax);

  expect(long).toEqual([]);
});

test("no file has a name that says nothing", () => {
  const empty = sources.filter((path) =>
    /(?:^|\/)(?:index|utils?|helpers?|common|manager|service)\.tsx?$/.test(path),
  );

  expect(empty).toEqual([]);
});

test("docs/errors.md has every error, as it is said in each language (npm run dump)", () => {
  const classes = programs.flatMap((path) =>
    [...read(path).matchAll(/class (\w+) extends DomainError\b/g)].map(([, name]) => name ?? ""),
  );
  const described = new Set(describedErrors.map(({ name }) => name));
  expect(classes.filter((name) => !described.has(name))).toEqual([]);
  expect(read("docs/errors.md")).toBe(describeErrors(read("docs/errors.md")));
});

test("whatever callers of the API and readers of pages are told is told in French too", () => {
  const inEnglishOnly = describedErrors
    .filter(({ said, details = [] }) =>
      [said, ...details.map(({ message }) => message)].some((one) => typeof one === "string"),
    )
    .map(({ name }) => name);

  expect(inEnglishOnly).toEqual([]);
});

test("docs/errors.md lists exactly the error codes of the code", () => {
  const inCode = programs.flatMap((path) =>
    [...read(path).matchAll(/override readonly code = "(\w+)"/g)].map(([, code]) => code ?? ""),
  );

  expect(firstColumn("docs/errors.md", /^[a-z_]+$/)).toEqual([...new Set(inCode)].toSorted());
});

test("docs/operating.md lists exactly the settings of the code", () => {
  const inCode = [...read("src/config.ts").matchAll(/read\s*\.\s*\w+\(\s*"([A-Z_]+)"/g)].map(
    ([, name]) => name ?? "",
  );

  expect(inCode.length).toBeGreaterThan(10);
  expect(firstColumn("docs/operating.md", /^[A-Z][A-Z_]+$/)).toEqual(
    [...new Set(inCode)].toSorted(),
  );
});

test("no table of the documents has a row, or a name in its first column, twice", () => {
  const documents = [...filesBelow("docs"), ...readdirSync(packageRoot)].filter((path) =>
    path.endsWith(".md"),
  );
  const repeated = documents.flatMap((path) =>
    tablesOf(path).flatMap((rows) => {
      const names = rows.flatMap((row) => /^\| *(`[^`]+`) *\|/.exec(row)?.[1] ?? []);
      return [...repeats(rows), ...repeats(names)].map((text) => `${path}: ${text}`);
    }),
  );

  expect(repeated).toEqual([]);
});

test("only the configuration reads settings from the environment", () => {
  // PATH is not a setting: it is how a program finds another.
  const readers = programs.filter((path) => /process\.env(?:\.|\[)(?!"PATH")/.test(read(path)));

  expect(readers).toEqual([]);
});

test("docs/schema.sql is what the migrations make (npm run dump)", async (context) => {
  notOnCluster(context, "settings");
  const made = await makeDatabase();
  context.onTestFinished(() => made.drop());
  expect(await describeSchema(made.database)).toBe(read("docs/schema.sql"));
});

test("docs/openapi.json is what the routes say (npm run dump), and lints clean", async () => {
  expect(await describeApiDocument()).toBe(read("docs/openapi.json"));

  const redocly = join(packageRoot, "node_modules/@redocly/cli/bin/cli.js");
  const output = execFileSync(
    process.execPath,
    [redocly, "lint", "docs/openapi.json", "--format=json"],
    {
      cwd: packageRoot,
      encoding: "utf8",
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    },
  );
  expect((JSON.parse(output) as { totals: unknown }).totals).toEqual({
    errors: 0,
    warnings: 0,
    ignored: 0,
  });
});

test("the test command of .ci/run is the README's", () => {
  const commands = read(".ci/run")
    .split("\n")
    .filter((line) => line.startsWith("npm "));

  expect(commands.length).toBeGreaterThan(0);
  expect(read("README.md")).toContain(commands.join("\n"));
});

/** The version decides whose SQL functions are the newer ones; they are compared number by number. */
test("the program has the version of its package, three numbers", () => {
  const manifest = JSON.parse(read("package.json")) as { version: string };

  expect(version).toBe(manifest.version);
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

test("every dependency is pinned exactly", () => {
  const manifest = JSON.parse(read("package.json")) as Record<string, Record<string, string>>;
  const versions = ["dependencies", "optionalDependencies", "devDependencies"].flatMap((kind) =>
    Object.entries(manifest[kind] ?? {}),
  );

  expect(versions.filter(([, pinned]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(pinned))).toEqual([]);
});

function mayImport(from: string, target: string): boolean {
  const [here, there] = [groupOf(from), groupOf(target)];
  if (there.name === here.name) return true;
  return there.rank < here.rank || (here.rank === top && there.rank === top);
}

function groupOf(path: string): { readonly name: string; readonly rank: number } {
  const name = path.split("/")[1]?.replace(/\.ts$/, "") ?? "";
  const rank = groups.findIndex((group) => group.includes(name));
  if (rank === -1) throw new Error(`${path} belongs to no group; add its folder to the list above`);
  return { name, rank };
}

/** One circle for each group of files that import each other: "a.ts → b.ts → a.ts". */
function circles(): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const follow = (path: string, way: readonly string[]) => {
    const start = way.indexOf(path);
    if (start !== -1) found.push([...way.slice(start), path].join(" → "));
    if (start !== -1 || done.has(path)) return;
    for (const target of importsOf(path)) follow(target, [...way, path]);
    done.add(path);
  };
  for (const path of programs) follow(path, []);
  return found;
}

function importsOf(path: string): string[] {
  return [...read(path).matchAll(/from "(\.[^"]+)"/g)].map(([, target]) =>
    relative(packageRoot, resolve(packageRoot, dirname(path), target ?? "")),
  );
}

/** The rows of each table of a document. */
function tablesOf(path: string): string[][] {
  return [...read(path).matchAll(/(?:^\|.*\n)+/gm)].map(([table]) => table.trim().split("\n"));
}

function repeats(texts: readonly string[]): string[] {
  return texts.filter((text, index) => texts.indexOf(text) !== index);
}

/** What stands in backticks in the first column of a document's tables. */
function firstColumn(path: string, shape: RegExp): string[] {
  const names = [...read(path).matchAll(/^\| *`([^`]+)`/gm)].map(([, name]) => name ?? "");
  return [...new Set(names.filter((name) => shape.test(name)))].toSorted();
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(packageRoot, join(entry.parentPath, entry.name)))
    .toSorted();
}

function read(path: string): string {
  return readFileSync(join(packageRoot, path), "utf8");
}
