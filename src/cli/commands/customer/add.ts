import type { Customer, KycStatus } from "../../../customers/customer.ts";
import { addCustomer } from "../../../customers/keep-book.ts";
import { toVisible } from "../../../kernel/visible.ts";
import { operator } from "../../../trail/actor.ts";
import type { Context, Outcome } from "../../context.ts";

export interface AddCustomerOptions {
  readonly firstName: string;
  readonly lastName: string;
  readonly kyc: KycStatus;
  readonly limit?: number;
}

export async function addCustomerCommand(
  { database }: Context,
  msisdn: string,
  options: AddCustomerOptions,
): Promise<Outcome> {
  const customer: Customer = {
    msisdn,
    firstName: options.firstName,
    lastName: options.lastName,
    kycStatus: options.kyc,
    balanceMax: options.limit ?? null,
  };
  await addCustomer(database, customer, operator("customer add"));
  return {
    value: customer,
    text: `${toVisible(`${customer.firstName} ${customer.lastName}`)} is in the customer book.`,
  };
}
