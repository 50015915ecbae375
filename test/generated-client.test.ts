import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { expect, onTestFinished, test } from "vitest";
import { packageRoot } from "../src/kernel/root.ts";

interface Described {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
}
type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>;

const program = join(packageRoot, "test/client/program.ts.txt");

type Document = { readonly paths: Paths; readonly webhooks: Paths };

function readDocument(): Promise<Buffer> {
  return readFile(join(packageRoot, "docs/openapi.json"));
}

function operationsOf(paths: Paths): Described[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

test("a client generated from the document compiles with every operation and every notification in use", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cauri-client-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const document = await readDocument();
  const { paths, webhooks } = JSON.parse(document.toString("utf8")) as Document;
  const types = astToString(await openapiTS(document));
  await writeFile(join(folder, "api.ts"), types);
  await copyFile(program, join(folder, "program.ts"));

  expect(findProblems(join(folder, "program.ts"))).toEqual([]);
  const text = await readFile(program, "utf8");
  const names = [
    ...operationsOf(paths).map(({ operationId }) => `call("${operationId}"`),
    ...Object.keys(webhooks).map((topic) => `case "${topic}":`),
  ];
  expect(names.length).toBeGreaterThan(25);
  expect(names.filter((name) => !text.includes(name))).toEqual([]);
});

test("every operation and every notification says in a sentence what it does, and what headers it looks at", async () => {
  const { paths, webhooks } = JSON.parse((await readDocument()).toString("utf8")) as Document;
  const operations = operationsOf(paths);
  const silent = [...operations, ...operationsOf(webhooks)].filter(
    ({ summary = "", description = "" }) => summary === "" || !description.endsWith("."),
  );
  expect(silent.map(({ operationId }) => operationId)).toEqual([]);

  const withToken = operations.filter(({ security = [] }) => security.length > 0);
  expect(withToken.length).toBeGreaterThan(15);
  const without = withToken.filter(
    ({ parameters = [] }) => !parameters.some(({ name }) => name === "x-company-id"),
  );
  expect(without.map(({ operationId }) => operationId)).toEqual([]);
});

/** As somebody with a strict compiler would see them. */
function findProblems(path: string): string[] {
  const compiled = ts.createProgram([path], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es2023.d.ts"],
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  });
  return ts.getPreEmitDiagnostics(compiled).map(({ file, start = 0, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
    return `${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}
