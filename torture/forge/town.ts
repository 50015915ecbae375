import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { auditChecks } from "../../src/audit-checks.ts";
import { auditCommand } from "../../src/cli/commands/audit.ts";
import { fundCompany } from "../../src/companies/fund-company.ts";
import type { KeySource } from "../../src/companies/master-key.ts";
import { openVault } from "../../src/companies/vault.ts";
import { Database } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import type { SecretBox } from "../../src/kernel/secret-box.ts";
import { openSink } from "../api/belongings.ts";
import { demand } from "../api/client.ts";
import { populateFirstDay, populateSecondDay, type TownCompanies } from "../tamper/populate.ts";
import { inTown, type Town } from "../tamper/town.ts";
import type { Copies } from "./copies.ts";

/** A company as an insider finds it. */
export type ForgedCompanies = readonly [first: string, second: string];

/** Two sealed days of a service, what a reader has kept of them, and its database at two moments. */
export interface ForgeTown {
  readonly source: KeySource;
  /** Bytes of the databases' addresses: as they stood when the first day was sealed, and now. */
  readonly firstDay: string;
  readonly now: string;
  readonly companies: ForgedCompanies;
  readonly kept: KeptFiles;
}

/** Paths of what somebody outside has kept. */
export interface KeptFiles {
  readonly seals: string;
  readonly key: string;
  readonly statements: Readonly<Record<"csv" | "xlsx" | "pdf" | "other", string>>;
}

/** Makes the town in databases of its own; what is kept goes into the folder. */
export async function makeForgeTown(copies: Copies, folder: string): Promise<ForgeTown> {
  const source: KeySource = { masterKeys: [randomBytes(32)], dataDir: folder };
  const now = await copies.make();
  const box = await onDatabase(now, async (database) => {
    await migrate(database);
    return openVault(database, source);
  });
  const sink = await openSink();
  try {
    const first = await inTown(
      now,
      box,
      async (town) => ({ companies: await populateFirstDay(town), at: new Date() }),
      { start: new Date(Date.now() - 50 * 3_600_000), sink },
    );
    const firstDay = await copies.make(now);
    const kept = await inTown(
      now,
      box,
      async (town) => {
        await populateSecondDay(town, first.companies);
        await leaveCheckpoint(town, box);
        return keep(town, first.companies, folder);
      },
      { start: new Date(first.at.getTime() + 1_000), sink },
    );
    const [one, two] = first.companies;
    return { source, firstDay, now, companies: [one.id, two.id], kept };
  } finally {
    await sink.close();
  }
}

/** The audit that the next ones continue from, and something that came after it. */
async function leaveCheckpoint({ database }: Town, box: SecretBox): Promise<void> {
  const context = { database, openBox: async () => box };
  const { exitCode, text } = await auditCommand(context, auditChecks, { full: true });
  if (exitCode !== 0) throw new Error(`the town is not in order: ${text}`);
}

async function keep(
  { url, database }: Town,
  companies: TownCompanies,
  folder: string,
): Promise<KeptFiles> {
  const [one, two] = companies;
  const answers = [];
  for (const { token } of companies)
    answers.push((await demand(url, "GET", "/v1/statement/seals?limit=100", { token })).body);
  const keys = (await demand(url, "GET", "/.well-known/cauri-ledger.json", {})).body;
  const kept = (name: string) => join(folder, name);
  await writeFile(kept("seals.json"), JSON.stringify(answers));
  await writeFile(kept("key.json"), JSON.stringify(keys));
  const download = async (token: string, format: string, name: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/v1/statement.${format}`, { headers });
    if (!answer.ok) throw new Error(`no statement: ${answer.status} ${await answer.text()}`);
    await writeFile(kept(name), Buffer.from(await answer.arrayBuffer()));
    return kept(name);
  };
  const statements = {
    csv: await download(one.token, "csv", "kept.csv"),
    xlsx: await download(one.token, "xlsx", "kept.xlsx"),
    pdf: await download(one.token, "pdf", "kept.pdf"),
    other: await download(two.token, "csv", "other.csv"),
  };
  await fundCompany(database, new Date(), { companyId: one.id, amount: 9_000 });
  return { seals: kept("seals.json"), key: kept("key.json"), statements };
}

export async function onDatabase<Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = new Database({ url, poolSize: 4 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
