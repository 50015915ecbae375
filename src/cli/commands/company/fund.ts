import { randomUUID } from "node:crypto";
import { companyIdPrefix } from "../../../companies/company.ts";
import { fundCompany } from "../../../companies/fund-company.ts";
import { OutcomeUnknown } from "../../../database/errors.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { operator } from "../../../trail/actor.ts";
import type { Context, Outcome } from "../../context.ts";
import { FundingOutcomeUnknown } from "../../errors.ts";
import { toFrancs } from "../../table.ts";

/** Without a reference of the operator's own one is made, so that a lost answer can be asked for again. */
export async function fundCompanyCommand(
  { database }: Context,
  companyId: string,
  amount: number,
  { reference = `funding-${randomUUID()}` }: { readonly reference?: string },
): Promise<Outcome> {
  const request = { companyId, amount, reference };
  const by = operator("company fund");
  const funding = await fundCompany(database, new Date(), request, by).catch((error: unknown) => {
    throw error instanceof OutcomeUnknown
      ? new FundingOutcomeUnknown(reference, { cause: error })
      : error;
  });
  const { balance, doneAt } = funding;
  const what =
    doneAt === undefined
      ? `${toFrancs(amount)} added`
      : `Nothing added: ${toFrancs(amount)} came in under this reference on ${doneAt.toISOString()}`;
  return {
    value: {
      companyId: toPublicId(companyIdPrefix, companyId),
      funded: amount,
      balance,
      reference,
      replayed: doneAt !== undefined,
    },
    text: `${what}; the balance is ${toFrancs(balance)}.`,
  };
}
