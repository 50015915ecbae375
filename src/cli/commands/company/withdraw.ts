import { companyIdPrefix } from "../../../companies/company.ts";
import { getCompany } from "../../../companies/find-company.ts";
import { withdrawalIdPrefix, withdrawFromCompany } from "../../../companies/move-money.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { operator } from "../../../trail/actor.ts";
import { askAbove, confirm } from "../../confirm.ts";
import type { Context, Outcome } from "../../context.ts";
import { orUnknown } from "../../errors.ts";
import { clockOf } from "../../find-clock.ts";
import type { Yes } from "../../run.ts";
import { toFrancs } from "../../table.ts";

export interface WithdrawOptions extends Yes {
  readonly reference: string;
  readonly memo?: string;
}

export async function withdrawCommand(
  { config, database }: Context,
  companyId: string,
  amount: number,
  { reference, memo, yes }: WithdrawOptions,
): Promise<Outcome> {
  const company = await getCompany(database, companyId);
  const { name } = company;
  if (amount > askAbove)
    await confirm(`Take ${toFrancs(amount)} out of the account of ${name}?`, { yes });
  const request = { companyId, amount, reference, memo: memo ?? null };
  const by = operator("company withdraw");
  const { id, balance, doneAt } = await orUnknown(reference, () =>
    withdrawFromCompany(database, new Date(), request, by),
  );
  const what =
    doneAt === undefined
      ? `${toFrancs(amount)} taken out`
      : `Nothing taken out: ${toFrancs(amount)} left under this reference on ${clockOf({ config }, company).spell(doneAt)}`;
  return {
    value: {
      id: toPublicId(withdrawalIdPrefix, id),
      companyId: toPublicId(companyIdPrefix, companyId),
      withdrawn: amount,
      balance,
      reference,
      memo: memo ?? null,
      replayed: doneAt !== undefined,
    },
    text: `${what}; the balance is ${toFrancs(balance)}.`,
  };
}
