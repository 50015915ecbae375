import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/kernel/root.ts";

const folder = "docs/guides";

export function readDocument(path: string): string {
  return readFileSync(join(packageRoot, path), "utf8");
}

/** The files of the guides, whether anything names them or not. */
export const guideFiles: readonly string[] = readdirSync(join(packageRoot, folder))
  .filter((name) => name !== "README.md")
  .map((name) => join(folder, name));

/** In the order in which their list names them. */
export const guidesInOrder: readonly string[] = Array.from(
  readDocument(join(folder, "README.md")).matchAll(/\]\(([\w-]+\.md)\)/g),
  ([, name = ""]) => join(folder, name),
);
