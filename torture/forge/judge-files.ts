import { createWriteStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { verifyCommand } from "../../src/cli/commands/verify.ts";
import { getCompany } from "../../src/companies/find-company.ts";
import { readConfig } from "../../src/config.ts";
import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { openStatement } from "../../src/statements/export/export-statement.ts";
import { writeExport } from "../../src/statements/export/write-export.ts";
import type { LedgerKey } from "../../src/statements/seal.ts";
import { signEverything } from "./attacks/keys.ts";
import type { Copies } from "./copies.ts";
import { type FileMaterial, fileAttacks } from "./file-attacks.ts";
import { type ForgeTown, onDatabase } from "./town.ts";

/** Forges what a reader has on disk, and asks `verify`. */
export async function forgeFiles(
  town: ForgeTown,
  copies: Copies,
  folder: string,
  own: LedgerKey,
): Promise<{ readonly made: number; readonly findings: string[] }> {
  const { kept } = town;
  const findings: string[] = [];
  const asked = {
    key: { key: kept.key, seals: kept.seals },
    seals: { seals: kept.seals },
    nothing: {},
  };
  for (const path of [kept.statements.csv, kept.statements.xlsx, kept.statements.pdf])
    if ((await codeOf(path, asked.key)) !== 0)
      findings.push(`a file that nobody touched is not verified: ${path}`);
  const material = await gather(town, copies, folder, own);
  for (const { name, format = "csv", ending = format, forge, said } of fileAttacks) {
    const path = join(folder, `forged.${ending}`);
    await writeFile(path, await forge(material));
    for (const what of ["key", "seals", "nothing"] as const) {
      const code = await codeOf(path, asked[what]);
      if (code === 0) findings.push(`nobody notices with ${what}: ${name}`);
      else if (code !== said[what])
        findings.push(`verify with ${what} ends with ${code} and not with ${said[what]}: ${name}`);
    }
  }
  return { made: fileAttacks.length, findings };
}

/** What cannot be read as a statement at all is not verified, either. */
async function codeOf(path: string, options: Parameters<typeof verifyCommand>[1]): Promise<number> {
  try {
    return (await verifyCommand(path, options)).exitCode ?? 0;
  } catch {
    return 1;
  }
}

async function gather(
  town: ForgeTown,
  copies: Copies,
  folder: string,
  own: LedgerKey,
): Promise<FileMaterial> {
  const { kept, companies, now, firstDay } = town;
  const { statements } = kept;
  const [csv, xlsx, pdf, other] = await Promise.all(
    [statements.csv, statements.xlsx, statements.pdf, statements.other].map((path) =>
      readFile(path),
    ),
  );
  const [{ id }] = (JSON.parse(await readFile(kept.key, "utf8")) as { keys: [{ id: string }] })
    .keys;
  const written = async (
    from: string,
    name: string,
    change: (database: Database) => Promise<unknown>,
  ) => {
    const url = await copies.make(from);
    const path = join(folder, name);
    await onDatabase(url, async (database) => {
      await change(database);
      await exportAs(database, companies[0], own, path);
    });
    await copies.drop(url);
    return readFile(path);
  };
  const none = Buffer.alloc(0);
  return {
    kept: statements,
    bytes: { csv: csv ?? none, xlsx: xlsx ?? none, pdf: pdf ?? none, other: other ?? none },
    rewritten: await written(now, "rewritten.csv", (database) =>
      database.transaction(async (tx) => {
        await tx.query(sql`set local session_replication_role = replica`);
        await tx.query(sql`
          insert into ledger_keys (id, public_key) values (${own.id}, ${Buffer.from(own.publicKey, "base64")})`);
        await signEverything({ tx, companies, own });
      }),
    ),
    cut: await written(firstDay, "cut.csv", async () => undefined),
    operatorKeyId: id,
    own,
  };
}

/** As the program writes it for an operator whose key this is. */
async function exportAs(database: Database, companyId: string, key: LedgerKey, path: string) {
  const config = readConfig({});
  const company = await getCompany(database, companyId);
  const { statement, exporter } = await openStatement(
    { database, country: config.country, key, publicUrl: config.publicUrl },
    company,
    {},
  );
  const keys = await database.query<{ id: string; publicKey: string }>(sql`
    select id, replace(encode(public_key, 'base64'), chr(10), '') as "publicKey" from ledger_keys`);
  const choice = { format: "csv", dialect: "machine", language: "en" } as const;
  await pipeline(writeExport(statement, { ...exporter, keys }, choice), createWriteStream(path));
}
