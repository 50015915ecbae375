import { randomUUID } from "node:crypto";
import { companyIdPrefix } from "../../../companies/company.ts";
import { getCompany } from "../../../companies/find-company.ts";
import { fundCompany } from "../../../companies/fund-company.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { operator } from "../../../trail/actor.ts";
import { askAbove, confirm } from "../../confirm.ts";
import type { Context, Outcome } from "../../context.ts";
import { orUnknown } from "../../errors.ts";
import { clockOf } from "../../find-clock.ts";
import type { Yes } from "../../run.ts";
import { toFrancs } from "../../table.ts";

export interface FundOptions extends Yes {
  readonly reference?: string;
  readonly memo?: string;
}

/** Without a reference of the operator's own one is made, so that a lost answer can be asked for again. */
export async function fundCompanyCommand(
  { config, database }: Context,
  companyId: string,
  amount: number,
  { reference = `funding-${randomUUID()}`, memo, yes }: FundOptions,
): Promise<Outcome> {
  const company = await getCompany(database, companyId);
  const { name } = company;
  if (amount > askAbove)
    await confirm(`Add ${toFrancs(amount)} to the account of ${name}?`, { yes });
  const request = { companyId, amount, reference, memo };
  const by = operator("company fund");
  const { balance, doneAt } = await orUnknown(reference, () =>
    fundCompany(database, new Date(), request, by),
  );
  const what =
    doneAt === undefined
      ? `${toFrancs(amount)} added`
      : `Nothing added: ${toFrancs(amount)} came in under this reference on ${clockOf({ config }, company).spell(doneAt)}`;
  return {
    value: {
      companyId: toPublicId(companyIdPrefix, companyId),
      funded: amount,
      balance,
      reference,
      memo: memo ?? null,
      replayed: doneAt !== undefined,
    },
    text: `${what}; the balance is ${toFrancs(balance)}.`,
  };
}
