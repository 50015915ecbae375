import type { HeldRequest } from "../src/approvals/decide-held.ts";
import { findHeld } from "../src/approvals/find-held.ts";
import type { HeldScope } from "../src/approvals/held.ts";
import type { Database } from "../src/database/database.ts";
import type { ConsolePerson } from "../src/trail/actor.ts";
import { member, trusted } from "./desk.ts";
import type { Answer, TestCompany, TestService } from "./fixtures.ts";

/** Whatever is sent to this number arrives. */
const recipient = "2250700000000";

/** A payout as a program makes it. */
export function sendByKey(
  service: TestService,
  { accessToken }: TestCompany,
  reference: string,
  { amount = 5_000, key }: { readonly amount?: number; readonly key?: string } = {},
): Promise<Answer> {
  return service.call("POST", "/v1/transactions", {
    token: accessToken,
    body: { type: "transfer", amount, msisdn: recipient, reference },
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
  });
}

export function sendBatchByKey(
  service: TestService,
  { accessToken }: TestCompany,
  name: string,
  rows: number,
  amount = 5_000,
): Promise<Answer> {
  const transactions = Array.from({ length: rows }, (_, index) => ({
    type: "transfer",
    amount,
    msisdn: recipient,
    reference: `${name}-${index}`,
  }));
  return service.call("POST", "/v1/transactions/batch", {
    token: accessToken,
    body: { transactions },
  });
}

/** What somebody decides who has just looked at what is held. */
export async function reviewed(
  database: Database,
  companyId: string,
  by?: ConsolePerson,
  scope: HeldScope = { kind: "oldest" },
): Promise<HeldRequest> {
  const set = await findHeld(database, companyId, scope);
  if (set === undefined) throw new Error("nothing is held");
  const bound = scope.kind === "oldest" ? { ...scope, upto: set.lastId } : scope;
  const decider = by ?? (await member(database, companyId));
  return { companyId, by: decider, scope: bound, reviewedHash: set.hash, checkPerson: trusted };
}

/** How many transfers a company has, by status. */
export async function statusesOf(
  service: TestService,
  { accessToken }: TestCompany,
): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const status of ["pending", "completed", "failed"]) {
    const path = `/v1/transactions?status=${status}&limit=100`;
    const { body } = await service.call("GET", path, { token: accessToken });
    if (body.data.length > 0) found[status] = body.data.length;
  }
  return found;
}
