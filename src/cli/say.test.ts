import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../kernel/root.ts";

/** Each makes what it writes visible, or writes words and numbers of ours alone. */
const writers = ["audit-progress.ts", "progress.ts", "prompt.ts", "run.ts", "say.ts"];

test("nothing but these writes to the terminal: what comes from outside goes through them, and is made visible", () => {
  const folder = join(packageRoot, "src/cli");
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".test.ts"))
    .filter((path) =>
      /process\.std(?:out|err)\.write|console\.\w+\(/.test(
        readFileSync(join(folder, path), "utf8"),
      ),
    );

  expect(found.toSorted()).toEqual(writers);
});
