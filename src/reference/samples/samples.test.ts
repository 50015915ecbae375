import { execFile, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { copyFile, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { webhooks } from "@cauri/sdk";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findStaleSdk } from "../../../test/built-sdk.ts";
import {
  makeCompany,
  makeDatabase,
  startService,
  type TestService,
} from "../../../test/fixtures.ts";
import { chooseTestPort } from "../../../test/free-port.ts";
import { commandOf, whyMissing } from "../../../test/languages.ts";
import { operations } from "../../../test/reference.ts";
import { packageRoot } from "../../kernel/root.ts";
import { apiErrors } from "../api-errors.ts";
import type { Operation } from "../read-reference.ts";
import { type SampleLanguage, samplesOf } from "./samples.ts";
import { signatureSamples } from "./signature.ts";

const run = promisify(execFile);

/** What came of a sample: the status, and the code of an error. */
interface Outcome {
  readonly status: number;
  readonly code?: string;
  /** What was thrown, for whoever reads why this fails. */
  readonly message?: string;
}

let service: TestService;
let folder: string;
const tokens = new Map<string, string>();
let end = async () => {};

/** Each operation is asked by a company of its own: no sample takes the reference of another. */
beforeAll(async () => {
  expect(findStaleSdk(), "sdk/dist was built from other sources: npm run setup").toEqual([]);
  const made = await makeDatabase();
  service = await startService(made);
  folder = await mkdtemp(join(tmpdir(), "cauri-samples-"));
  await symlink(join(packageRoot, "node_modules"), join(folder, "node_modules"));
  for (const language of ["curl", "ts", "php", "py"])
    for (const { id } of operations) {
      const { accessToken } = await makeCompany(made.database);
      tokens.set(`${language} ${id}`, accessToken);
    }
  end = async () => {
    await service.stop();
    await made.drop();
    await rm(folder, { recursive: true });
  };
});
afterAll(() => end());

/** What an example can come to on an account where nothing has happened yet. */
function expectDocumented(operation: Operation, outcome: Outcome | undefined): void {
  const { id, path, answers } = operation;
  expect(outcome, id).toBeDefined();
  const { status, code, message = "" } = outcome ?? { status: 0 };
  const isUnknown = path.includes("{") ? 404 : id === "listEvents" ? 409 : undefined;
  expect(String(status), `${id} ${code} ${message}`).toBe(String(isUnknown ?? answers[0]?.status));
  if (isUnknown === undefined) return;
  const codes = apiErrors.filter((one) => one.isGivenBy(operation)).map(({ error }) => error.code);
  expect(codes, id).toContain(code);
}

async function writeSamples(language: SampleLanguage, extension: string): Promise<string[]> {
  const paths: string[] = [];
  for (const operation of operations) {
    const path = join(folder, `${operation.id}.${extension}`);
    await writeFile(path, samplesOf(operation, service.url)[language]);
    paths.push(path);
  }
  return paths;
}

function tokensOf(language: SampleLanguage): string {
  return JSON.stringify(operations.map(({ id }) => [id, tokens.get(`${language} ${id}`)]));
}

function readOutcome(text: string): Outcome {
  const [, status = "0", body = ""] = /^(\d{3})\s*([^]*)$/.exec(text) ?? [];
  const { code } = (body.startsWith("{") ? JSON.parse(body) : {}) as { code?: string };
  return { status: Number(status), ...(code === undefined ? {} : { code }) };
}

describe("every sample does what its operation says", () => {
  test("curl", async () => {
    for (const operation of operations) {
      const sample = samplesOf(operation, service.url).curl;
      const env = { ...process.env, CAURI_TOKEN: tokens.get(`curl ${operation.id}`) };
      const write = "-s -w '\\n%{http_code}'";
      const { stdout } = await run("sh", ["-c", `${sample} ${write}`], { env, cwd: folder });
      const lines = stdout.split("\n");
      const status = lines.pop();

      expectDocumented(operation, readOutcome(`${status} ${lines.join("\n")}`));
    }
  });

  test("TypeScript, and a strict compiler has nothing against it", async () => {
    const paths = await writeSamples("ts", "ts");
    expect(findProblems(paths)).toEqual([]);

    await writeSamples("ts", "mjs");
    const runner = join(folder, "run-all.mjs");
    await writeFile(
      runner,
      `const said = [];
       console.log = (...words) => said.push(words);
       const outcomes = {};
       for (const [id, token] of ${tokensOf("ts")}) {
         process.env.CAURI_TOKEN = token;
         said.length = 0;
         try {
           await import("./" + id + ".mjs");
           const [first] = said;
           outcomes[id] = typeof first?.[0] === "number" ? { status: first[0] } : { status: "good" };
         } catch (error) {
           outcomes[id] = { status: error.status, code: error.code, message: error.message };
         }
       }
       process.stdout.write(JSON.stringify(outcomes));`,
    );
    const { stdout } = await run(process.execPath, [runner], { cwd: folder });
    const outcomes = JSON.parse(stdout) as Record<
      string,
      { status: unknown; code?: string; message?: string }
    >;

    for (const operation of operations) {
      const { status, code, message } = outcomes[operation.id] ?? {};
      const success = Number(operation.answers[0]?.status);
      expectDocumented(operation, {
        // The SDK gives what was answered, and throws unless it was a success; a list of nothing is one.
        status: status === "good" && !operation.path.includes("{") ? success : Number(status),
        ...(code === undefined ? {} : { code }),
        ...(message === undefined ? {} : { message }),
      });
    }
  });

  test("Python, with its client", async ({ skip }) => {
    const missing = whyMissing("python");
    if (missing !== undefined) skip(missing);
    await writeSamples("py", "py");
    await copyFile(join(packageRoot, "sdk/python/cauri.py"), join(folder, "cauri.py"));
    const runner = join(folder, "run_all.py");
    await writeFile(
      runner,
      [
        "import contextlib, io, json, os, sys",
        "sys.dont_write_bytecode = True",
        "from cauri import ApiError",
        "outcomes = {}",
        `for id, token in json.loads(${JSON.stringify(tokensOf("py"))}):`,
        "    os.environ['CAURI_TOKEN'] = token",
        "    try:",
        "        with contextlib.redirect_stdout(io.StringIO()):",
        "            exec(compile(open(id + '.py').read(), id, 'exec'), {})",
        "        outcomes[id] = {}",
        "    except ApiError as error:",
        "        outcomes[id] = {'status': error.status, 'code': error.code}",
        "print(json.dumps(outcomes))",
      ].join("\n"),
    );
    const { stdout } = await run("python3", [runner], { cwd: folder });
    const outcomes = JSON.parse(stdout) as Record<string, Partial<Outcome>>;

    for (const operation of operations)
      expectDocumented(operation, { ...successOf(operation), ...outcomes[operation.id] });
    expect(Object.keys(outcomes)).toHaveLength(operations.length);
  });

  test("PHP, with its client", async ({ skip }) => {
    const missing = whyMissing("php");
    if (missing !== undefined) skip(missing);
    await writeSamples("php", "php");
    await copyFile(join(packageRoot, "sdk/php/Cauri.php"), join(folder, "Cauri.php"));
    await writeFile(
      join(folder, "prepend.php"),
      `<?php
       ob_start();
       set_exception_handler(function (Throwable $error) {
         ob_end_clean();
         $known = $error instanceof Cauri\\ApiException;
         echo json_encode($known ? ['status' => $error->status, 'code' => $error->errorCode] : ['message' => (string) $error]);
       });
       register_shutdown_function(function () { if (ob_get_level() > 0) { ob_end_clean(); echo '{}'; } });`,
    );
    for (const operation of operations) {
      const env = { ...process.env, CAURI_TOKEN: tokens.get(`php ${operation.id}`) };
      const args = ["-d", "auto_prepend_file=prepend.php", `${operation.id}.php`];
      const { stdout } = await run("php", args, { env, cwd: folder });
      const outcome = JSON.parse(stdout.slice(stdout.indexOf("{"))) as Partial<Outcome>;
      expect(outcome, operation.id).not.toHaveProperty("message");
      expectDocumented(operation, { ...successOf(operation), ...outcome });
    }
  });
});

/** A client gives what was answered, and throws unless it was a success. */
function successOf(operation: Operation): Outcome {
  return { status: Number(operation.answers[0]?.status) };
}

describe("the samples of a signature", () => {
  const samples = signatureSamples("service");
  const env = { ...process.env, CAURI_SECRET_KEY: "sk_of_the_sample" };
  const body = '{"data":{"description":"Salaire août"},"topic":"transactions/started"}';
  const signature = createHmac("sha256", env.CAURI_SECRET_KEY).update(body).digest("base64");

  test("openssl makes the header's value", async () => {
    await writeFile(join(folder, "body.json"), body);
    const { stdout } = await run("sh", ["-c", samples.curl], { env, cwd: folder });

    expect(stdout.trim()).toBe(signature);
  });

  test.for([
    ["php", "Cauri.php", "receiver.php"],
    ["python", "cauri.py", "receiver.py"],
  ] as const)("%s takes the right one, and no other", async ([language, file, name], { skip }) => {
    const missing = whyMissing(language);
    if (missing !== undefined) skip(missing);
    await copyFile(join(packageRoot, "sdk", language, file), join(folder, file));
    const port = await chooseTestPort();
    const program = (language === "php" ? samples.php : samples.py).replace("3000", String(port));
    await writeFile(join(folder, name), program);
    const args = language === "php" ? ["-S", `127.0.0.1:${port}`, name] : ["-B", name];
    const child = spawn(commandOf(language), args, { env, cwd: folder, stdio: "ignore" });
    onTestFinished(async () => {
      child.kill();
      await once(child, "exit");
    });
    const post = async (text: string, headers: Readonly<Record<string, string>>) =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: text, headers })).status;
    const event = { topic: "transactions/started", data: { description: "Salaire août" } };
    const signed = await webhooks.sign(event, env.CAURI_SECRET_KEY);

    await expect.poll(() => post(signed.body, signed.headers).catch(() => 0)).toBe(204);
    expect(await post(`${signed.body} `, signed.headers)).toBe(401);
    expect(await post(signed.body, {})).toBe(401);
    const old = { sentAt: new Date(Date.now() - 3_600_000) };
    const late = await webhooks.sign(event, env.CAURI_SECRET_KEY, old);
    expect(await post(late.body, late.headers)).toBe(401);
  });

  test("TypeScript compiles", async () => {
    const path = join(folder, "receiver.ts");
    await writeFile(path, samples.ts);

    expect(findProblems([path])).toEqual([]);
  });
});

/** As somebody with a strict compiler would see them. */
function findProblems(paths: readonly string[]): string[] {
  const compiled = ts.createProgram(paths, {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    lib: ["lib.es2023.d.ts"],
    types: ["node"],
    typeRoots: [join(packageRoot, "node_modules/@types")],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
  });
  return ts.getPreEmitDiagnostics(compiled).map(({ file, messageText }) => {
    const name = file?.fileName.split("/").at(-1);
    return `${name}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}
