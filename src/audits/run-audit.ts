import { hash } from "node:crypto";
import type { Database } from "../database/database.ts";
import { isSharded } from "../database/parts.ts";
import {
  type AuditCheck,
  type AuditProgress,
  type AuditResult,
  audit,
  isClean,
} from "../ledger/audit.ts";
import { findAuditState, recordAudit } from "../ledger/record-audit.ts";
import { auditLedgerKeys } from "../statements/audit-keys.ts";
import { listLedgerKeys } from "../statements/ledger-key.ts";
import type { LedgerKey } from "../statements/seal.ts";
import { isGenuineCheckpoint, type SignedCheckpoint, signCheckpoint } from "./checkpoint.ts";
import { checkpointChecks } from "./checkpoint-checks.ts";
import { insertCheckpoint, selectLastCheckpoint } from "./checkpoints-store.ts";
import { continueFrom } from "./continue-from.ts";
import { takeCheckpoint } from "./take-checkpoint.ts";

interface AuditRequest {
  readonly checks: readonly AuditCheck[];
  /** The operator's key; undefined: the master key is not at hand. */
  readonly key: LedgerKey | undefined;
  /** Look at everything, whatever was looked at before. */
  readonly isFull: boolean;
  readonly begunAt: Date;
  /** The account that asks for it. */
  readonly operator: string;
  readonly onProgress?: ((progress: AuditProgress) => void) | undefined;
  /** What else is to be looked at each time. */
  readonly besides?: () => Promise<readonly AuditResult[]>;
}

export interface EndedRun {
  readonly results: readonly AuditResult[];
  /** The audit from which it continued; undefined: it looked at everything. */
  readonly continuedFrom: number | undefined;
  /** It is in the table of audits. */
  readonly isRecorded: boolean;
}

/**
 * Audits what came since the last checkpoint, or everything, and writes down how it ended. What is clean leaves a checkpoint, if it
 * can be signed. One that is not the operator's is a difference. Then, and as long as a difference stands, everything is looked at.
 */
export async function runAudit(database: Database, request: AuditRequest): Promise<EndedRun> {
  const { key, isFull, begunAt, operator, besides } = request;
  const state = await findAuditState(database);
  const mayContinue = !isFull && (state?.differences ?? 0) === 0 && !(await isSharded(database));
  const found = mayContinue ? await findCheckpoint(database, key) : undefined;
  const from = continues(found?.genuine, request.checks) ? found?.genuine : undefined;
  const run = async () => {
    const { results, content } = await look(database, request, from);
    const all = [
      ...results,
      ...(found === undefined ? [] : [found.result]),
      await auditLedgerKeys(database, key),
      ...((await besides?.()) ?? []),
    ];
    return { results: all, content };
  };
  // A difference is looked at twice before it is an alarm: on a sharded database two sides may commit apart.
  const first = await run();
  const { results, content } = isClean(first.results) ? first : await run();
  const isRecorded = await recordAudit(database, begunAt, results, {
    operator,
    isFull: from === undefined,
    beside: async (tx, auditNumber) => {
      if (key === undefined || content === undefined || !isClean(results)) return;
      const fullAudit = from?.fullAudit ?? auditNumber;
      await insertCheckpoint(tx, signCheckpoint(key, { auditNumber, fullAudit, content }));
    },
  });
  return { results, continuedFrom: from?.auditNumber, isRecorded };
}

/** Undefined: there is none, or nothing to check it by. */
async function findCheckpoint(
  database: Database,
  key: LedgerKey | undefined,
): Promise<
  { readonly genuine: SignedCheckpoint | undefined; readonly result: AuditResult } | undefined
> {
  const last = await selectLastCheckpoint(database);
  if (last === undefined || key === undefined) return undefined;
  const isGenuine = isGenuineCheckpoint(await listLedgerKeys(database, key), last);
  return {
    genuine: isGenuine ? last : undefined,
    result: {
      check: "the checkpoint is signed by the operator",
      examined: 1,
      differences: isGenuine
        ? []
        : [
            {
              where: `the checkpoint of audit ${last.auditNumber}`,
              expected: `the signature of key ${last.keyId} of the operator`,
              found: "another; everything was looked at instead",
            },
          ],
    },
  };
}

/** The results, and when they are clean, how everything stood then. */
async function look(
  database: Database,
  { checks, key, onProgress }: AuditRequest,
  from: SignedCheckpoint | undefined,
): Promise<{ readonly results: AuditResult[]; readonly content: string | undefined }> {
  let content: string | undefined;
  const results = await audit(database, from === undefined ? checks : checksOfSome(checks), {
    ...(from === undefined ? {} : { chooseRows: (tx) => continueFrom(tx, from.content) }),
    onProgress,
    whenClean: async (tx) => {
      if (key !== undefined) content = await takeCheckpoint(tx, formOf(checks));
    },
  });
  return { results, content };
}

/** Whether all that is checked now was checked up to there. */
function continues(from: SignedCheckpoint | undefined, checks: readonly AuditCheck[]): boolean {
  if (from === undefined) return false;
  const { form } = JSON.parse(from.content) as { readonly form?: string };
  return form === formOf(checks);
}

/** To be counted up when a checkpoint's content changes. */
const contentVersion = 1;

function formOf(checks: readonly AuditCheck[]): string {
  const names = checks.map(({ name }) => name);
  return hash("sha256", JSON.stringify([contentVersion, ...names]), "hex");
}

/** The checks of an audit that continues. */
export function checksOfSome(checks: readonly AuditCheck[]): AuditCheck[] {
  return [...checkpointChecks, ...checks.filter(({ needsEverything }) => needsEverything !== true)];
}
