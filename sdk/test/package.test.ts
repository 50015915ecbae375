import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import vm from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { publint } from "publint";
import ts from "typescript";
import { expect, onTestFinished, test } from "vitest";
import { describeSdkTypes } from "../../scripts/describe-sdk.ts";
import { packageRoot } from "../../src/kernel/root.ts";
import { findStaleSdk } from "../../test/built-sdk.ts";
import { HostileServer } from "./hostile-server.ts";

const folder = join(packageRoot, "sdk");
const manifest = JSON.parse(read("sdk/package.json"));

test("sdk/src/api.ts is what the service's document says (npm run dump)", async () => {
  expect(await describeSdkTypes(read("docs/openapi.json"))).toBe(read("sdk/src/api.ts"));
});

test("sdk/dist is what sdk/src makes (npm run setup)", () => {
  expect(findStaleSdk()).toEqual([]);
});

test("it has the version, the licence and the Node.js of the service", () => {
  const root = JSON.parse(read("package.json"));

  expect([manifest.version, manifest.license]).toEqual([root.version, root.license]);
  expect(read("sdk/src/settings.ts")).toContain(`version = "${manifest.version}"`);
  expect(read("sdk/LICENSE")).toBe(read("LICENSE"));
});

/** Of everything, as a browser or an edge runtime would load it; the plain files, as Node.js does, compressed. */
test("all of it is less than 24 KB: minified in one file, and compressed as it is shipped", async () => {
  const minified = Buffer.byteLength(await bundle("esm"));
  const plain = gzipSync(compiled().map(read).join("\n")).length;

  expect(minified).toBeGreaterThan(10_000);
  expect(minified).toBeLessThan(24 * 1_024);
  expect(plain).toBeLessThan(14_000);
});

test("it imports nothing but itself: no package, and nothing of Node.js", () => {
  const programs = compiled();
  expect(programs.length).toBeGreaterThan(20);
  const foreign = programs.flatMap((path) =>
    [...read(path).matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)]
      .map(([, target]) => target ?? "")
      .filter((target) => !/^\.\.?\/[\w./-]+\.js$/.test(target))
      .map((target) => `${path}: ${target}`),
  );

  expect(foreign).toEqual([]);
  expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
});

test("publint has nothing to say", async () => {
  const { messages } = await publint({ pkgDir: folder, pack: "npm", strict: true });

  expect(messages).toEqual([]);
});

test("it runs where there is nothing but what the web has", async () => {
  const server = await HostileServer.start();
  server.script = ["take: reset before the answer"];
  const names =
    `fetch Headers Response ReadableStream URL URLSearchParams crypto AbortController AbortSignal
    TextEncoder TextDecoder atob btoa performance setTimeout clearTimeout`.split(/\s+/);
  const web = names.map((name) => [name, (globalThis as Record<string, unknown>)[name]]);
  const context = vm.createContext({ ...Object.fromEntries(web), url: server.url });
  vm.runInContext(await bundle("iife"), context);

  const outcome = await vm.runInContext(
    `(async () => {
      const { Cauri, webhooks } = sdk;
      const cauri = new Cauri({ url, token: "at_test" });
      const made = await cauri.transfers.create({ amount: 5000, msisdn: "2250700000000", reference: "r" });
      const event = await webhooks.sign({ topic: "webhooks/test", data: {} }, "sk_test");
      const { topic } = await webhooks.verify(event.body, new Headers(event.headers), "sk_test");
      const { reason } = await webhooks.explainFailure(event.body, event.headers, "sk_other");
      const kinds = [typeof process, typeof Buffer, typeof require, typeof global];
      return JSON.stringify([made.id, topic, reason, ...kinds]);
    })()`,
    context,
  );

  const nothing = Array.from({ length: 4 }, () => "undefined");
  expect(JSON.parse(outcome)).toEqual(["txn_1", "webhooks/test", "wrong_secret", ...nothing]);
});

const program = `
import { Cauri, ConflictError, type CauriError, type Transaction, webhooks } from "@cauri/sdk";
import { verify } from "@cauri/sdk/webhooks";

export async function use(request: Request, failure: CauriError): Promise<string> {
  const cauri = new Cauri({ url: "https://pay.example", token: "at_1", retries: 5 });
  const made: Transaction = await cauri.transfers.create(
    { amount: 5_000, msisdn: "2250700000000", reference: "r", metadata: { any: ["thing"] } },
    { idempotencyKey: "k" },
  );
  const status: "pending" | "completed" | "failed" = made.status;
  for await (const { failureReason } of cauri.transfers.list({ status: "failed" }))
    if (failureReason === "SERVICE_ACCOUNT_NOT_FOUND") return failureReason;
  for await (const { closingBalance } of cauri.statement.lines({ from: "2026-01-01" }).pages())
    if (closingBalance < 0) return status;
  if (failure instanceof ConflictError) return failure.existingId ?? failure.code;
  const event = await verify(await request.text(), request.headers, ["sk_1", "sk_2"]);
  await webhooks.explainFailure({}, { "webhook-id": ["x"] }, "sk_1");
  // @ts-expect-error -- an amount is a number.
  await cauri.charges.refund("id", { amount: "5000" });
  // @ts-expect-error -- the reference is missing.
  await cauri.transfers.create({ amount: 5_000, msisdn: "2250700000000" });
  // @ts-expect-error -- lists have no pages by number.
  cauri.charges.list({ page: 2 });
  switch (event.topic) {
    case "transactions/failed":
      return event.data.failureReason satisfies string;
    case "charge/events":
      return event.data.droppedReason ?? event.id;
    case "webhooks/test":
      return event.data.webhookId;
    default:
      return event.sentAt.toISOString();
  }
}
`;

test("whoever uses it with a strict compiler and no types of Node.js gets every type", async () => {
  const place = await mkdtemp(join(tmpdir(), "cauri-sdk-"));
  onTestFinished(() => rm(place, { recursive: true }));
  await mkdir(join(place, "node_modules/@cauri"), { recursive: true });
  await symlink(folder, join(place, "node_modules/@cauri/sdk"));
  await writeFile(join(place, "package.json"), '{"type":"module"}');
  await writeFile(join(place, "program.ts"), program);

  const compiledProgram = ts.createProgram([join(place, "program.ts")], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es2022.d.ts", "lib.webworker.d.ts"],
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  });
  const problems = ts
    .getPreEmitDiagnostics(compiledProgram)
    .map(
      ({ file, messageText }) =>
        `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    );

  expect(problems).toEqual([]);
});

async function bundle(format: "esm" | "iife"): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, "dist/main.js")],
    bundle: true,
    minify: true,
    format,
    globalName: "sdk",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

function compiled(): string[] {
  return readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".js") && !path.startsWith("commonjs/"))
    .map((path) => `sdk/dist/${path}`);
}

function read(path: string): string {
  return readFileSync(join(packageRoot, path), "utf8");
}
