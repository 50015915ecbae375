import { setCustomer } from "../../../customers/keep-book.ts";
import { toVisible } from "../../../kernel/visible.ts";
import { operator } from "../../../trail/actor.ts";
import type { Context, Outcome } from "../../context.ts";
import { NothingToChange } from "../../errors.ts";
import type { AddCustomerOptions } from "./add.ts";

export async function setCustomerCommand(
  { database }: Context,
  msisdn: string,
  options: Partial<AddCustomerOptions>,
): Promise<Outcome> {
  const change = {
    ...(options.firstName === undefined ? {} : { firstName: options.firstName }),
    ...(options.lastName === undefined ? {} : { lastName: options.lastName }),
    ...(options.kyc === undefined ? {} : { kycStatus: options.kyc }),
    ...(options.limit === undefined ? {} : { balanceMax: options.limit }),
  };
  if (Object.keys(change).length === 0) throw new NothingToChange("customer set");
  const customer = await setCustomer(database, msisdn, change, operator("customer set"));
  return {
    value: customer,
    text: `${toVisible(`${customer.firstName} ${customer.lastName}`)} was changed.`,
  };
}
