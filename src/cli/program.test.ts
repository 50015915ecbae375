import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { packageRoot } from "../kernel/root.ts";
import { buildProgram, vocabulary } from "./program.ts";

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
  const elsewhere = ["payout", "webhooks"];
  expect(ofBusiness.length).toBeGreaterThan(8);
  const missing = ofBusiness.flatMap((command) => {
    const leaves: readonly Command[] = command.commands.length > 0 ? command.commands : [command];
    const words = leaves.flatMap((leaf) => {
      const name = leaf === command ? "" : ` ${leaf.name()}`;
      const options = elsewhere.includes(command.name()) ? [] : leaf.options;
      return [`cauri ${command.name()}${name}`, ...options.map(({ long }) => long ?? "")];
    });
    return words.filter((word) => !told.includes(word.replace(/^cauri payout .*/, "cauri payout")));
  });

  expect(missing).toEqual([]);
});
