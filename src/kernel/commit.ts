import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./root.ts";

/** Which commit was built, as scripts/setup.mjs wrote it down. A checkout that had changes of its own ends in -modified. */
export const commit = readCommit();

function readCommit(): string {
  try {
    return readFileSync(join(packageRoot, "dist/src/.commit"), "utf8").trim() || "unknown";
  } catch {
    return "unknown";
  }
}
