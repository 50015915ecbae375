import { lockRule, type Rule, setRule } from "../approvals/rules.ts";
import type { Database, Tx } from "../database/database.ts";
import { newUuid, toPublicId } from "../kernel/ids.ts";
import type { ConsolePerson, Operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { NothingAskedFor, RequestClosed } from "./errors.ts";
import { lockOwnersFor } from "./owners.ts";
import { requestIdPrefix } from "./request.ts";
import { openRequest } from "./requests.ts";
import { closeRequestsAboutRule } from "./requests-store.ts";

/**
 * By an owner. What lets less go out without a second person holds at once; what lets more go out waits for a second owner or the
 * operator. Throws NothingAskedFor, WaitsAlready, NotPermitted.
 */
export function askForRule(
  database: Database,
  now: Date,
  companyId: string,
  /** In francs; null: without a limit, which only the rule of keys may be. */
  { rule, amount }: { readonly rule: Rule; readonly amount: number | null },
  by: ConsolePerson,
): Promise<"done" | { readonly requestId: string }> {
  return database.transaction(async (tx) => {
    await lockOwnersFor(tx, companyId, by);
    const before = await lockRule(tx, companyId, rule);
    if (before === amount) throw new NothingAskedFor();
    if (!isMore(before, amount)) {
      await changeRule(tx, companyId, rule, amount, by);
      return "done";
    }
    const requestId = newUuid(now.getTime());
    const request = { id: requestId, companyId, requestedBy: by.personId };
    await openRequest(tx, request, { kind: rule, fromAmount: before, toAmount: amount }, by);
    return { requestId };
  });
}

/** By the operator, at once. */
export function setRuleByOperator(
  database: Database,
  companyId: string,
  { rule, amount }: { readonly rule: Rule; readonly amount: number | null },
  by: Operator,
): Promise<void> {
  return database.transaction((tx) => changeRule(tx, companyId, rule, amount, by));
}

/** What was confirmed. Throws RequestClosed when another value holds by now than the one that was to be changed. */
export async function putRule(
  tx: Tx,
  companyId: string,
  request: {
    readonly kind: Rule;
    readonly fromAmount: number | null;
    readonly toAmount: number | null;
  },
  by: Operator | ConsolePerson,
): Promise<void> {
  const { kind, fromAmount, toAmount } = request;
  if ((await lockRule(tx, companyId, kind)) !== fromAmount) throw new RequestClosed();
  await setRule(tx, companyId, kind, toAmount, by);
}

/** Requests to change the rule as it was before end with it. */
async function changeRule(
  tx: Tx,
  companyId: string,
  rule: Rule,
  amount: number | null,
  by: Operator | ConsolePerson,
): Promise<void> {
  await setRule(tx, companyId, rule, amount, by);
  for (const { id } of await closeRequestsAboutRule(tx, companyId, rule, "rule_changed"))
    await recordForCompany(tx, companyId, by, {
      action: "access.withdrawn",
      subject: toPublicId(requestIdPrefix, id),
      to: { reason: "rule_changed" },
    });
}

function isMore(before: number | null, amount: number | null): boolean {
  if (before === null) return false;
  return amount === null || amount > before;
}
