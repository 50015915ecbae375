import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { packageRoot } from "../kernel/root.ts";
import { buildProgram } from "./program.ts";
import { vocabulary } from "./vocabulary.ts";

const parts = {
  version: "1.2.3",
  serve: async () => {},
  loadAuditChecks: async () => [],
  isSilent: true,
};

test("help has every word, and every word alone brings its commands along", async () => {
  const { commands } = await buildProgram(parts, []);
  const names = commands.map((command) => command.name());
  expect(names.toSorted()).toEqual(vocabulary.flatMap(({ words }) => words).toSorted());
  for (const name of names) {
    const alone = await buildProgram(parts, [name]);
    const found = alone.commands.find((command) => command.name() === name);
    const whole = commands.find((command) => command.name() === name);
    expect(found?.helpInformation()).toBe(whole?.helpInformation());
  }
});

test("docs/command-line.md has every command of a business, and every option of its own", async () => {
  const told = readFileSync(join(packageRoot, "docs/command-line.md"), "utf8");
  const { commands } = await buildProgram(parts, []);
  const ofBusiness = commands.filter((command) => command.helpGroup().startsWith("For a business"));
  // They have documents of their own, which this one leads to.
  const elsewhere = ["payout import", "payout retry", "payout template", "webhooks listen"];
  expect(ofBusiness.length).toBe(15);
  const missing = ofBusiness.flatMap((command) => {
    const leaves: readonly Command[] = command.commands.length > 0 ? command.commands : [command];
    const words = leaves.flatMap((leaf) => {
      const name = leaf === command ? "" : ` ${leaf.name()}`;
      const options = elsewhere.includes(`${command.name()}${name}`) ? [] : leaf.options;
      return [`cauri ${command.name()}${name}`, ...options.map(({ long }) => long ?? "")];
    });
    return words.filter((word) => !told.includes(word.replace(/^cauri payout .*/, "cauri payout")));
  });

  expect(missing).toEqual([]);
});

test("every command of a business that calls the service takes a profile, and its help has an example", async () => {
  const { commands } = await buildProgram(parts, []);
  const leaves = commands
    .filter((command) => command.helpGroup().startsWith("For a business"))
    .flatMap((command) => (command.commands.length > 0 ? [...command.commands] : [command]));
  const without = leaves
    .filter(({ options }) => !options.some(({ long }) => long === "--profile"))
    .map((leaf) => leaf.name());
  // They read and write files on this machine, and use no token.
  expect(without.toSorted()).toEqual(["remove", "template"]);

  const helps = leaves.map((leaf) => {
    let text = "";
    leaf.configureOutput({ writeOut: (more) => (text += more) }).outputHelp();
    return [leaf.name(), text] as const;
  });
  const bare = helps.filter(([, text]) => !/Examples?:\n {2}(?:cauri|eval)/.test(text));
  expect(bare.map(([name]) => name)).toEqual([]);
});

test("the help of each command says whom it is for, and what the others use instead", async () => {
  const helpOf = async (...args: readonly [string, string]) => {
    const program = await buildProgram(parts, args);
    const noun = program.commands.find((command) => command.name() === args[0]);
    const verb = noun?.commands.find((command) => command.name() === args[1]);
    let text = "";
    verb?.configureOutput({ writeOut: (more) => (text += more) }).outputHelp();
    return text;
  };
  expect(await helpOf("transfer", "list")).toMatch(
    /For the operator, on the server itself.* A business uses `cauri transfers`\./,
  );
  expect(await helpOf("webhooks", "list")).toMatch(
    /For a business, over HTTP with its token.* The operator uses `cauri webhook`\./,
  );
  const { commands } = await buildProgram(parts, []);
  expect(commands.filter((command) => command.helpGroup() === "Commands:")).toEqual([]);
});
