import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as sdk from "@cauri/sdk";
import { expect } from "vitest";
import { packageRoot } from "../../src/kernel/root.ts";
import { makeCompany, test } from "../../test/fixtures.ts";

const run = promisify(execFile);
const readme = readFileSync(join(packageRoot, "sdk/README.md"), "utf8");
const samples = [...readme.matchAll(/```js\n([^]*?)```\n\n```text\n([^]*?)```/g)].map(
  ([, program = "", output = ""], index) => ({
    name: `${index + 1}, which prints "${output.split("\n")[0]}"`,
    program,
    output,
  }),
);

test("every sample of the README has its output under it", () => {
  expect(samples.length).toBeGreaterThan(5);
  expect(readme.match(/```js\n/g)).toHaveLength(samples.length);
});

test.for(samples)("sample $name, does so", async ({ program, output }, { service, db }) => {
  const { accessToken } = await makeCompany(db.database);
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: join(packageRoot, "sdk"),
    env: {
      ...process.env,
      CAURI_URL: service.url,
      CAURI_TOKEN: accessToken,
      CAURI_SECRET_KEY: "sk_of_the_sample",
    },
  });

  expect(stdout).toBe(output);
});

test("the README names every error class, every method and every option there is", () => {
  const classes = Object.keys(sdk).filter(
    (name) => name.endsWith("Error") && !["CauriError", "ApiError"].includes(name),
  );
  expect(classes.length).toBeGreaterThan(15);
  expect(classes.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);

  const cauri = new sdk.Cauri({ url: "http://127.0.0.1:1", token: "at_1" });
  const resources = Object.entries(cauri) as [string, object][];
  expect(resources.length).toBe(7);
  const missing = [["cauri", cauri] as const, ...resources].flatMap(([name, resource]) => {
    const row = readme
      .split("\n")
      .find((line) => new RegExp(`^\\| \`(?:cauri\\.)?${name}\``).test(line));
    const methods = [
      ...Object.getOwnPropertyNames(Object.getPrototypeOf(resource)),
      ...(name === "cauri" ? [] : Object.keys(resource)),
    ].filter((method) => method !== "constructor");
    return methods
      .filter((method) => !row?.includes(`\`${method}\``))
      .map((one) => `${name}.${one}`);
  });
  expect(missing).toEqual([]);
});
