import { openLedgerKey, readLedgerKeys } from "../../../statements/ledger-key.ts";
import type { Context, Outcome } from "../../context.ts";
import { toTable } from "../../table.ts";

/** Exit code 1 when one of them is not the operator's. */
export async function listLedgerKeysCommand({ database, openBox }: Context): Promise<Outcome> {
  const own = await openLedgerKey(database, await openBox());
  const { bound, unbound } = await readLedgerKeys(database, own);
  const keys = [
    ...bound.map(({ id, createdAt }) => ({ id, createdAt, isBound: true, why: null })),
    ...unbound.map((key) => ({ ...key, isBound: false })),
  ]
    .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
    .map((key) => ({ ...key, signs: key.id === own.id, createdAt: key.createdAt.toISOString() }));
  return {
    value: keys,
    text: [
      toTable([
        ["KEY", "SINCE", "WHOSE"],
        ...keys.map(({ id, createdAt, isBound, signs, why }) => [
          id,
          createdAt,
          isBound ? `the operator's${signs ? ", signs now" : ""}` : `NOT BOUND: ${why}`,
        ]),
      ]),
      ...(unbound.length === 0
        ? []
        : [
            "A key that is not bound is not published, nothing that it signed counts, and no day is sealed. If it is yours from before (compare its id with what was kept outside), say so: cauri ledger-key bind KEY. If it is not, somebody has written to the database: see the runbook.",
          ]),
    ].join("\n"),
    exitCode: unbound.length === 0 ? 0 : 1,
  };
}
