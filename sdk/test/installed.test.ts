import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { packageRoot } from "../../src/kernel/root.ts";
import { makeCompany, test } from "../../test/fixtures.ts";

const run = promisify(execFile);
const readme = join(packageRoot, "sdk/README.md");

/** A project of somebody else, outside of this repository, with the real package in it. */
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "cauri-project-"));
  await writeFile(join(project, "package.json"), '{ "name": "project", "private": true }');
  const documented = /```sh\n(npm install "\$\(npm pack [^\n]+)\n```/.exec(
    await readFile(readme, "utf8"),
  )?.[1];
  expect(documented).toContain("../cauri/sdk");
  const line = documented?.replace("../cauri/sdk", join(packageRoot, "sdk")) ?? "";
  await run("sh", ["-c", line], {
    cwd: project,
    env: { ...process.env, npm_config_offline: "true", npm_config_audit: "false" },
  });
});
afterAll(() => rm(project, { recursive: true }));

const sending = `
  const cauri = new Cauri({ url: process.env.CAURI_URL, token: process.env.CAURI_TOKEN });
  const made = await cauri.transfers.create({ amount: 5_000, msisdn: "2250700000000", reference: "one" });
  const { status } = await cauri.transfers.waitUntilSettled(made.id);
  const topics = [];
  for await (const event of cauri.webhooks.events()) topics.push(event.topic);
  const signed = await webhooks.sign({ topic: "webhooks/test", data: {} }, "sk_1");
  const { topic } = await verify(signed.body, signed.headers, "sk_1");
  const wrong = await cauri.transfers.get("txn_none").catch((error) => error instanceof NotFoundError);
  console.log(status, topics.join(), topic, wrong);
`;

describe("from the tarball that npm pack makes, installed by the line of the README", () => {
  test.for([
    [
      "require",
      "program.cjs",
      `const { Cauri, NotFoundError, webhooks } = require("@cauri/sdk");
       const { verify } = require("@cauri/sdk/webhooks");
       (async () => {${sending}})();`,
    ],
    [
      "import",
      "program.mjs",
      `import { Cauri, NotFoundError, webhooks } from "@cauri/sdk";
       import { verify } from "@cauri/sdk/webhooks";
       ${sending}`,
    ],
  ] as const)("%s: a program pays, and hears of it", async ([, name, text], { service, db }) => {
    const { accessToken } = await makeCompany(db.database);
    await writeFile(join(project, name), text);
    // As a Node.js does that cannot require what is written for import.
    const flags = process.allowedNodeEnvironmentFlags.has("--experimental-require-module")
      ? ["--no-experimental-require-module"]
      : [];
    const { stdout } = await run(process.execPath, [...flags, name], {
      cwd: project,
      env: { ...process.env, CAURI_URL: service.url, CAURI_TOKEN: accessToken },
    });

    expect(stdout).toBe(
      "completed transactions/started,transactions/completed webhooks/test true\n",
    );
  });

  const typed = `
    import { Cauri, ConflictError, type Transaction, responseOf } from "@cauri/sdk";
    import { verify, type WebhookEvent } from "@cauri/sdk/webhooks";
    export async function use(body: string): Promise<string> {
      const cauri = new Cauri({
        url: "https://pay.example",
        token: "at_1",
        beforeRequest: ({ method, attempt }) => ({ "x-try": method + attempt }),
        afterResponse: ({ status, durationMs, request }) => void [status, durationMs, request.url],
      });
      const made: Transaction = await cauri.transfers.create({ amount: 5, msisdn: "2250700000000", reference: "r" });
      const id: string | undefined = responseOf(made)?.correlationId;
      for await (const { sequence, topic } of cauri.webhooks.events({ after: "latest", wait: 30 })) {
        const known: number = sequence;
        if (known > 3) return topic;
      }
      const { status, body: answer } = await cauri.request("GET", "/v1/balance", { query: { limit: 1 } });
      const event: WebhookEvent = await verify(body, {}, "sk_1");
      // @ts-expect-error -- what came may be anything.
      answer.length;
      // @ts-expect-error -- an amount is a number.
      await cauri.charges.refund("id", { amount: "5" });
      return new Error() instanceof ConflictError ? event.topic : id + String(status);
    }`;
  const { ModuleKind, ModuleResolutionKind } = ts;

  test.for([
    ["node16, a project of CommonJS", "commonjs", ModuleKind.Node16, ModuleResolutionKind.Node16],
    ["node16, a project of modules", "module", ModuleKind.Node16, ModuleResolutionKind.Node16],
    [
      "node10, as before there were exports",
      "commonjs",
      ModuleKind.CommonJS,
      ModuleResolutionKind.Node10,
    ],
    ["bundler", "module", ModuleKind.ESNext, ModuleResolutionKind.Bundler],
  ] as const)("tsc, %s: every type is found", async ([name, type, module, moduleResolution]) => {
    const folder = join(project, name.replaceAll(/\W+/g, "-"));
    await mkdir(folder);
    await writeFile(join(folder, "package.json"), `{ "type": "${type}" }`);
    await writeFile(join(folder, "program.ts"), typed);
    const program = ts.createProgram([join(folder, "program.ts")], {
      target: ts.ScriptTarget.ES2022,
      module,
      moduleResolution,
      lib: ["lib.es2022.d.ts", "lib.webworker.d.ts"],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      ignoreDeprecations: "6.0",
      skipLibCheck: false,
      noEmit: true,
    });
    const problems = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));

    expect(problems).toEqual([]);
  });

  test("it holds both forms with their types, and nothing that is not used", async () => {
    const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--silent"], {
      cwd: join(packageRoot, "sdk"),
    });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const paths = files.map(({ path }) => path);

    expect(paths.filter((path) => !path.startsWith("dist/")).toSorted()).toEqual([
      "LICENSE",
      "README.md",
      "package.json",
    ]);
    for (const name of ["main", "webhooks", "resources/transfers"])
      for (const form of ["", "commonjs/"])
        for (const end of [".js", ".d.ts"]) expect(paths).toContain(`dist/${form}${name}${end}`);
  });
});
