import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../src/kernel/root.ts";
import type { OpenApiDocument } from "../src/reference/openapi-document.ts";
import { type Operation, type Reference, readReference } from "../src/reference/read-reference.ts";

/** What docs/openapi.json says; another test sees that the service says the same. */
export function readDocument(): OpenApiDocument {
  return JSON.parse(
    readFileSync(join(packageRoot, "docs/openapi.json"), "utf8"),
  ) as OpenApiDocument;
}

export const reference: Reference = readReference(readDocument());

export const operations: readonly Operation[] = reference.groups.flatMap(
  (group) => group.operations,
);
