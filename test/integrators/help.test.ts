import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/kernel/root.ts";
import { Desk } from "../command.ts";

test("whoever takes the operator's command for the business's is told, also as JSON", async () => {
  const desk = await Desk.make();
  const said =
    "`cauri transfer` is for the operator, on the server itself. With the token of a business you want `cauri transfers list`.";
  const text = await desk.run(["transfer", "list"]);
  expect([text.code, text.stderr]).toEqual([1, expect.stringContaining(said)]);
  const { code, value } = await desk.json(["transfer", "list"]);
  expect([code, value.error.code]).toEqual([1, "invalid_arguments"]);
  expect(value.error.message).toContain(said);
  const back = await desk.run(["transfers", "show", "salary-7"]);
  expect(back.stderr).toContain("The operator has `cauri transfer show`");
  const nowhere = await desk.run(["transfer", "show", "salary-7"]);
  expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining("no database")]);
  expect(nowhere.stderr).toContain("you want `cauri transfers get`");

  const help = await desk.run(["--help"]);
  expect((await desk.run(["help"])).stdout).toBe(help.stdout);
  expect((await desk.run(["help", "transfers"])).stdout).toContain(
    "The operator uses `cauri transfer`",
  );
  expect(help.stdout).toContain("For the operator, on the server itself");
  expect(help.stdout).toContain("For a business, over HTTP with its token");
});

test.for([
  ["what a command answers", "completion bash"],
  ["the help of all commands", "--help"],
  ["the help of one", "key list --help"],
  ["the help of a word", "help transfers"],
  ["the version", "--version"],
] as const)(
  "whoever reads may stop reading, and it ends quietly with its own exit code: %s",
  ([, args]) => {
    const main = join(packageRoot, "dist/src/main.js");
    const line = `"${process.execPath}" "${main}" ${args} | true; echo "\${PIPESTATUS[0]}"`;
    const output = execFileSync("bash", ["-c", `{ ${line}; } 2>&1`], { encoding: "utf8" });
    expect(output).toBe("0\n");
  },
);
