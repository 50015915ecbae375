import { companyIdPrefix } from "../../companies/company.ts";
import { placeOfCompany } from "../../companies/find-company.ts";
import { eachCompany } from "../../companies/list-companies.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { LedgerKeysUnbound } from "../../statements/errors.ts";
import { openLedgerKey, readLedgerKeys } from "../../statements/ledger-key.ts";
import { sealNextDay } from "../../statements/seal-days.ts";
import { toSealResource } from "../../statements/seal-resource.ts";
import type { Context, Outcome } from "../context.ts";
import { toFrancs, toTable } from "../table.ts";

/** What the worker does after midnight, at once. Exit code 1 when a company's postings, or a trail, are not what was chained. */
export async function sealCommand({ config, database, openBox }: Context): Promise<Outcome> {
  const key = await openLedgerKey(database, await openBox());
  const { unbound } = await readLedgerKeys(database, key);
  if (unbound.length > 0) throw new LedgerKeysUnbound(unbound);
  const sealed = [];
  const broken = [];
  for await (const company of eachCompany(database)) {
    const { timeZone } = placeOfCompany(company, config.country);
    const sealing = { database, key, timeZoneOf: async () => timeZone };
    let outcome = await sealNextDay(sealing, company.id);
    for (; outcome.kind === "sealed"; outcome = await sealNextDay(sealing, company.id))
      sealed.push({ name: company.name, seal: outcome.seal });
    if (outcome.kind === "unbound") throw new LedgerKeysUnbound(outcome.keys);
    if (outcome.kind === "broken")
      broken.push({ companyId: toPublicId(companyIdPrefix, company.id), ...outcome.link });
  }
  const rows = sealed.map(({ name, seal }) => [
    name,
    seal.day,
    String(seal.number),
    toFrancs(seal.balance),
    seal.hash.toString("hex").slice(0, 16),
  ]);
  return {
    value: { sealed: sealed.map(({ seal }) => toSealResource(seal, key.publicKey)), broken },
    text: [
      rows.length === 0
        ? "Every day that is over is sealed."
        : toTable([["COMPANY", "DAY", "LAST POSTING", "BALANCE", "HASH BEGINS"], ...rows]),
      ...broken.map(
        ({ companyId, where, expected, found }) =>
          `NOT SEALED: ${companyId}: ${where}: expected ${expected}, found ${found}. Run cauri audit.`,
      ),
    ].join("\n"),
    exitCode: broken.length === 0 ? 0 : 1,
  };
}
