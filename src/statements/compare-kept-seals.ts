import { companyIdPrefix } from "../companies/company.ts";
import type { Database } from "../database/database.ts";
import { toPublicId } from "../kernel/ids.ts";
import { type AuditResult, type Difference, differencesMax } from "../ledger/audit.ts";
import { listLedgerKeys } from "./ledger-key.ts";
import { selectLastPosting } from "./lines-store.ts";
import {
  isGenuine,
  type LedgerKey,
  type PublicLedgerKey,
  type Seal,
  sealText,
  trailLines,
} from "./seal.ts";
import { selectSealsWithin } from "./seals-store.ts";
import { findFork } from "./verify/compare-seals.ts";

/**
 * Holds seals that were kept outside against those of the database. It alone tells a history that was restored, cut or made anew
 * as a whole: such a history agrees with itself.
 */
export async function compareKeptSeals(
  database: Database,
  kept: readonly Seal[],
  own: LedgerKey | undefined,
): Promise<AuditResult> {
  // Without the key that signs none is known to be the operator's, and the audit says that, too.
  const keys = own === undefined ? [] : await listLedgerKeys(database, own);
  const fork = findFork(kept.map((seal) => ({ seal, isWitness: true })));
  const differences: Difference[] =
    fork === undefined
      ? []
      : [{ where: "what was kept", expected: "seals of one history", found: fork.message }];
  for (const companyId of new Set(kept.map((seal) => seal.companyId))) {
    const seals = kept.filter((seal) => seal.companyId === companyId);
    differences.push(...(await differencesOf(database, companyId, seals, keys)));
  }
  return {
    check: "the seals that were kept are those of the books",
    examined: kept.length,
    differences: differences.slice(0, differencesMax),
  };
}

async function differencesOf(
  database: Database,
  companyId: string,
  kept: readonly Seal[],
  keys: readonly PublicLedgerKey[],
): Promise<Difference[]> {
  const all = { after: -1, upto: Number.MAX_SAFE_INTEGER };
  const found = await selectSealsWithin(database, companyId, all);
  const ofDays = new Map<string, Seal>(found.map((seal) => [seal.day, seal]));
  const lastPosting = await selectLastPosting(database, companyId);
  return kept.flatMap((seal) => {
    const wrong = whatIsWrong(seal, ofDays.get(seal.day), lastPosting, keys);
    const where = `seal kept for ${seal.day} of company ${toPublicId(companyIdPrefix, companyId)}`;
    return wrong === undefined ? [] : [{ where, ...wrong }];
  });
}

function whatIsWrong(
  kept: Seal,
  found: Seal | undefined,
  lastPosting: number,
  keys: readonly PublicLedgerKey[],
): Pick<Difference, "expected" | "found"> | undefined {
  if (!isGenuine(keys, kept))
    return { expected: `the signature of key ${kept.keyId} of the operator`, found: "another" };
  const expected = describe(kept);
  if (found !== undefined && sealText(found) !== sealText(kept))
    return { expected, found: `another history: ${describe(found)}` };
  if (lastPosting < kept.number)
    return { expected, found: `a history that was cut: the books end at posting ${lastPosting}` };
  return found === undefined ? { expected, found: "no seal of that day" } : undefined;
}

function describe({ number, balance, hash, until, trails }: Seal): string {
  return [
    `posting ${number}, balance ${balance}, hash ${hash.toString("hex")}, until ${until.toISOString()}`,
    ...(trails === undefined ? [] : trailLines(trails)),
  ].join(", ");
}
