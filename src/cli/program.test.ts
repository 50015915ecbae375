import { expect, test } from "vitest";
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
