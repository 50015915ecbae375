import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { auditChecks } from "../../src/audit-checks.ts";
import { auditCommand } from "../../src/cli/commands/audit.ts";
import { checkMasterKeyCommand } from "../../src/cli/commands/master-key/check.ts";
import { exportStatementCommand } from "../../src/cli/commands/statement/export.ts";
import { verifyCommand } from "../../src/cli/commands/verify.ts";
import { openVault } from "../../src/companies/vault.ts";
import { readConfig } from "../../src/config.ts";
import type { Database } from "../../src/database/database.ts";
import { Signals } from "../../src/database/signals.ts";
import type { AuditResult } from "../../src/ledger/audit.ts";
import type { Tool } from "./attack.ts";
import type { ForgeTown } from "./town.ts";

/** By tool, the first thing that it said. What is not in it has noticed nothing. */
export type Noticed = ReadonlyMap<Tool, string>;

const ofSeals = "the seals that were kept are those of the books";

/** Asks everything that a reader or an operator has, as the commands do, with what was kept outside. */
export async function judge(
  { source, kept }: ForgeTown,
  {
    database,
    url,
    readerOf,
    folder,
  }: { database: Database; url: string; readerOf: string; folder: string },
): Promise<Noticed> {
  const signals = new Signals(url, database);
  const openBox = () => openVault(database, source);
  const context = {
    config: readConfig({}),
    database,
    signals,
    openBox,
    logger: pino({ level: "silent" }),
  };
  const noticed = new Map<Tool, string>();
  const say = (tool: Tool, what: string | undefined) => {
    if (what !== undefined) noticed.set(tool, what.replaceAll(/\s+/g, " ").slice(0, 300));
  };
  const results = async (options: Parameters<typeof auditCommand>[2]) => {
    const { value } = await auditCommand(context, auditChecks, options);
    return (value as { checks: readonly AuditResult[] }).checks;
  };
  const first = (checks: readonly AuditResult[], isAsked: (check: string) => boolean) => {
    const one = checks.find(({ check, differences }) => isAsked(check) && differences.length > 0);
    return one && `${one.check}: ${JSON.stringify(one.differences[0])}`;
  };
  await attempt(
    async () =>
      say(
        "audit",
        first(await results({}), () => true),
      ),
    (why) => say("audit", why),
  );
  await attempt(
    async () => {
      const checks = await results({ full: true, seals: kept.seals });
      say(
        "audit --full",
        first(checks, (check) => check !== ofSeals),
      );
      say(
        "audit --seals",
        first(checks, (check) => check === ofSeals),
      );
    },
    (why) => {
      say("audit --full", why);
      say("audit --seals", why);
    },
  );
  const output = join(folder, `${new URL(url).pathname.slice(1)}.csv`);
  await rm(output, { force: true });
  await attempt(
    async () => {
      const choice = { format: "csv", dialect: "machine", lang: "en", output } as const;
      await exportStatementCommand(context, readerOf, choice);
      const { exitCode, text } = await verifyCommand(output, { key: kept.key, seals: kept.seals });
      say("verify", (exitCode ?? 0) === 0 ? undefined : text);
    },
    (why) => say("verify", why),
  );
  await attempt(
    async () => {
      const { exitCode, text } = await checkMasterKeyCommand(context);
      say("master-key check", exitCode === 0 ? undefined : text);
    },
    (why) => say("master-key check", why),
  );
  return noticed;
}

/** A command that fails has noticed something, too. */
async function attempt(work: () => Promise<void>, fail: (why: string) => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    fail(error instanceof Error ? `${error.constructor.name}: ${error.message}` : String(error));
  }
}
