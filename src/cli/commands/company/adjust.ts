import { randomUUID } from "node:crypto";
import { companyIdPrefix } from "../../../companies/company.ts";
import { getCompany } from "../../../companies/find-company.ts";
import { adjustBooks, adjustmentIdPrefix } from "../../../companies/move-money.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import type { AdjustableAccount } from "../../../ledger/funding.ts";
import { operator } from "../../../trail/actor.ts";
import { confirm } from "../../confirm.ts";
import type { Context, Outcome } from "../../context.ts";
import { orUnknown } from "../../errors.ts";
import { clockOf } from "../../find-clock.ts";
import type { Yes } from "../../run.ts";
import { toFrancs } from "../../table.ts";

export interface AdjustOptions extends Yes {
  readonly from: AdjustableAccount;
  readonly to: AdjustableAccount;
  readonly reason: string;
  readonly reference?: string;
}

/** Without a reference of the operator's own one is made, so that a lost answer can be asked for again. */
export async function adjustCompanyCommand(
  { config, database }: Context,
  companyId: string,
  amount: number,
  { from, to, reason, yes, reference = `adjustment-${randomUUID()}` }: AdjustOptions,
): Promise<Outcome> {
  const company = await getCompany(database, companyId);
  const { name } = company;
  const movement = `${toFrancs(amount)} from ${from} to ${to}`;
  await confirm(`Move ${movement} in the books of ${name}?`, { yes });
  const request = { companyId, from, to, amount, reference, reason };
  const { id, balance, doneAt } = await orUnknown(reference, () =>
    adjustBooks(database, new Date(), request, operator("company adjust")),
  );
  const what =
    doneAt === undefined
      ? `${movement} moved`
      : `Nothing moved: ${movement} went under this reference on ${clockOf({ config }, company).spell(doneAt)}`;
  return {
    value: {
      id: toPublicId(adjustmentIdPrefix, id),
      companyId: toPublicId(companyIdPrefix, companyId),
      from,
      to,
      adjusted: amount,
      balance,
      reference,
      reason,
      replayed: doneAt !== undefined,
    },
    text: `${what}; the balance is ${toFrancs(balance)}.`,
  };
}
