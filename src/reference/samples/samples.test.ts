import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  makeCompany,
  makeDatabase,
  startService,
  type TestService,
} from "../../../test/fixtures.ts";
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
}

let service: TestService;
let folder: string;
const tokens = new Map<string, string>();
let end = async () => {};

/** Each operation is asked by a company of its own: no sample takes the reference of another. */
beforeAll(async () => {
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
  const { status, code } = outcome ?? { status: 0 };
  const isUnknown = path.includes("{") ? 404 : id === "listEvents" ? 409 : undefined;
  expect(String(status), `${id} ${code}`).toBe(String(isUnknown ?? answers[0]?.status));
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
    const outcomes = JSON.parse(stdout) as Record<string, { status: unknown; code?: string }>;

    for (const operation of operations) {
      const { status, code } = outcomes[operation.id] ?? {};
      const success = Number(operation.answers[0]?.status);
      expectDocumented(operation, {
        // The SDK gives what was answered, and throws unless it was a success; a list of nothing is one.
        status: status === "good" && !operation.path.includes("{") ? success : Number(status),
        ...(code === undefined ? {} : { code }),
      });
    }
  });

  test("Python, with nothing but what it comes with", async () => {
    await writeSamples("py", "py");
    const runner = join(folder, "run_all.py");
    await writeFile(
      runner,
      [
        "import contextlib, io, json, os",
        "outcomes = {}",
        `for id, token in json.loads(${JSON.stringify(tokensOf("py"))}):`,
        "    os.environ['CAURI_TOKEN'] = token",
        "    said = io.StringIO()",
        "    with contextlib.redirect_stdout(said):",
        "        exec(compile(open(id + '.py').read(), id, 'exec'), {})",
        "    outcomes[id] = said.getvalue()",
        "print(json.dumps(outcomes))",
      ].join("\n"),
    );
    const { stdout } = await run("python3", [runner], { cwd: folder });
    const outcomes = JSON.parse(stdout) as Record<string, string>;

    for (const operation of operations) {
      const said = outcomes[operation.id] ?? "";
      // Whoever writes a file says nothing.
      expectDocumented(operation, readOutcome(said === "" ? "200" : said));
    }
  });

  test("PHP", async ({ skip }) => {
    const isThere = await run("php", ["-r", "exit(function_exists('curl_init') ? 0 : 1);"]).then(
      () => true,
      () => false,
    );
    if (!isThere) skip("php with curl is not installed here: its samples were not run");
    await writeSamples("php", "php");
    for (const operation of operations) {
      const env = { ...process.env, CAURI_TOKEN: tokens.get(`php ${operation.id}`) };
      const { stdout } = await run("php", [`${operation.id}.php`], { env, cwd: folder });
      expectDocumented(operation, readOutcome(stdout === "" ? "200" : stdout));
    }
  });
});

describe("the samples of a signature", () => {
  const samples = signatureSamples("service");
  const env = { ...process.env, SECRET_KEY: "sk_of_the_sample" };
  const body = '{"data":{"description":"Salaire août"},"topic":"transactions/started"}';
  const signature = createHmac("sha256", env.SECRET_KEY).update(body).digest("base64");

  test("openssl makes the header's value", async () => {
    await writeFile(join(folder, "body.json"), body);
    const { stdout } = await run("sh", ["-c", samples.curl], { env, cwd: folder });

    expect(stdout.trim()).toBe(signature);
  });

  test("Python takes the right one, and no other", async () => {
    const program = [
      samples.py,
      "import sys",
      `raw = ${JSON.stringify(body)}.encode()`,
      `header = {"x-service-hmac-sha256": ${JSON.stringify(signature)}}`,
      "print(is_genuine(raw, header), is_genuine(raw + b' ', header), is_genuine(raw, {}))",
    ].join("\n");
    const { stdout } = await run("python3", ["-c", program], { env });

    expect(stdout.trim()).toBe("True False False");
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
