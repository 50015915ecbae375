import { setCustomer } from "../../../customers/keep-book.ts";
import { toVisible } from "../../../kernel/visible.ts";
import type { Context, Outcome } from "../../context.ts";
import type { AddCustomerOptions } from "./add.ts";

export async function setCustomerCommand(
  { database }: Context,
  msisdn: string,
  options: Partial<AddCustomerOptions>,
): Promise<Outcome> {
  const customer = await setCustomer(database, msisdn, {
    ...(options.firstName === undefined ? {} : { firstName: options.firstName }),
    ...(options.lastName === undefined ? {} : { lastName: options.lastName }),
    ...(options.kyc === undefined ? {} : { kycStatus: options.kyc }),
    ...(options.limit === undefined ? {} : { balanceMax: options.limit }),
  });
  return {
    value: customer,
    text: `${toVisible(`${customer.firstName} ${customer.lastName}`)} was changed.`,
  };
}
