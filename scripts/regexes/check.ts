// Part of `npm run check`: each regular expression of the service and the SDK takes time that grows with the length of the text
// and no faster, or stands in the list of those that meet short texts only.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkSync } from "recheck";
import { packageRoot } from "../../src/kernel/root.ts";
import { findRegexes } from "./find-regexes.ts";
import { limited } from "./limited.ts";

/** Plenty on a busy machine for every expression that is proven; what takes longer is written more simply, or gets a limit. */
const timeoutMs = 60_000;

// Its other ways are a program for each kind of machine, or Java.
process.env["RECHECK_SYNC_BACKEND"] = "pure";

const { found, unread } = findRegexes(packageRoot);
const verdicts = new Map<string, string | undefined>();
const wrong: string[] = [];
const met = new Set<(typeof limited)[number]>();

/** Undefined when it is proven linear. */
function problemOf(pattern: string, flags: string): string | undefined {
  const verdict = checkSync(pattern, flags, {
    checker: "automaton",
    // Whether an attack works in practice is not asked.
    recallTimeout: -1,
    timeout: timeoutMs,
  });
  if (verdict.status === "safe") return undefined;
  return verdict.status === "vulnerable" ? verdict.complexity.summary : "not proven";
}

for (const { file, line, ...rest } of [...found, ...unread]) {
  const isFound = "pattern" in rest;
  const expression = isFound ? `/${rest.pattern}/${rest.flags}` : rest.code;
  if (isFound && !verdicts.has(expression))
    verdicts.set(expression, problemOf(rest.pattern, rest.flags));
  const problem = isFound ? verdicts.get(expression) : "cannot be looked at here";
  const entry = limited.find((one) => one.file === file && one.expression === expression);
  if (problem !== undefined && entry !== undefined) met.add(entry);
  else if (problem !== undefined) wrong.push(`${file}:${line} ${expression}: ${problem}`);
}
const page = readFileSync(join(packageRoot, "docs/input-limits.md"), "utf8");
for (const { file, expression, limit, why } of limited)
  if (
    !page.includes(`| \`${file}\` | \`${expression.replaceAll("|", "\\|")}\` | ${limit} | ${why} |`)
  )
    wrong.push(
      `${file} ${expression}: docs/input-limits.md does not show it as it stands in the list`,
    );
for (const { file, expression } of limited.filter((one) => !met.has(one)))
  wrong.push(`${file} ${expression}: is proven or gone; take it out of scripts/regexes/limited.ts`);

if (wrong.length > 0) {
  console.error(
    [
      "Regular expressions that may take far longer than their texts are long. Write them so that they are proven linear, or put a limit before",
      "them and name it in scripts/regexes/limited.ts:",
      ...wrong,
    ].join("\n"),
  );
  process.exitCode = 1;
}
