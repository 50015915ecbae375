import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../kernel/root.ts";
import { commandFor, optionWords } from "./command-for.ts";
import { vocabulary } from "./vocabulary.ts";

const url = "https://pay.example";

test("a command names the login and the address that the one before it used", () => {
  expect(commandFor({ profile: "shop", url }, "transfers", "get", "salary 7", "--wait")).toBe(
    "cauri transfers get 'salary 7' --wait --profile shop --url https://pay.example",
  );
  // Another shell may have CAURI_PROFILE set: the default login is named too.
  expect(commandFor({ profile: "default", url }, "balance")).toBe(
    "cauri balance --profile default --url https://pay.example",
  );
  expect(commandFor({ profile: undefined, url }, "balance")).toBe(
    "cauri balance --url https://pay.example (with the same CAURI_TOKEN)",
  );
  expect(commandFor(undefined, "payout", "import", "$(reboot).csv")).toBe(
    "cauri payout import '$(reboot).csv'",
  );
});

test("options that were not given are not said again", () => {
  const given = { "--amount": 5_000, "--reason": undefined, "--new": true, "--dry-run": false };
  expect(optionWords(given)).toEqual(["--amount", "5000", "--new"]);
});

/** Written out, it would speak for whichever company the next shell is logged in as. */
test("no command of a business is told to somebody but through commandFor", () => {
  const withoutLogin = ["login", "logout", "profiles", "verify-signature"];
  const words = vocabulary
    .filter(({ audience }) => audience === "business")
    .flatMap((one) => one.words.filter((word) => !withoutLogin.includes(word)));
  const command = new RegExp(`\\bcauri (?:${words.join("|")})\\b`);
  const folder = join(packageRoot, "src/cli");
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" })
    // Examples in a help text belong to no login, so they are written out.
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.ts$|^nouns\//.test(path))
    .flatMap((path) =>
      readFileSync(join(folder, path), "utf8")
        .split("\n")
        .filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line))
        .filter(
          (line) => command.test(line) || (path.startsWith("commands/") && /cauri \$\{/.test(line)),
        )
        .map((line) => `${path}: ${line.trim()}`),
    );

  expect(words).toContain("transfers");
  expect(found).toEqual([]);
});
