// Regenerates what is made from the code: docs/schema.sql, docs/openapi.json, the table of docs/errors.md and the types of
// the SDK.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeApiDocument } from "../src/api-document.ts";
import { describeSchema } from "../src/database/describe-schema.ts";
import { openAndMigrate } from "../src/database/open-database.ts";
import { packageRoot } from "../src/kernel/root.ts";
import { describeCoverage } from "../torture/tamper/coverage.ts";
import { writeErrors } from "./describe-errors.ts";
import { writeSdkTypes } from "./describe-sdk.ts";

const dataDir = await mkdtemp(join(tmpdir(), "cauri-dump-"));
const open = await openAndMigrate(
  {
    environment: "staging",
    databaseUrl: process.env["DATABASE_URL"],
    databasePoolSize: 2,
    dataDir,
  },
  () => {},
);
try {
  await writeFile(join(packageRoot, "docs/schema.sql"), await describeSchema(open.database));
  const document = await describeApiDocument();
  await writeFile(join(packageRoot, "docs/openapi.json"), document);
  await writeFile(join(packageRoot, "docs/coverage.md"), describeCoverage());
  await writeErrors();
  await writeSdkTypes(document);
} finally {
  await open.close();
  await rm(dataDir, { recursive: true, force: true });
}
