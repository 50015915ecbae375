import { isWalletFrozen } from "../../../customers/customer.ts";
import { eachCustomer } from "../../../customers/keep-book.ts";
import type { Context, Outcome } from "../../context.ts";
import { toFrancs, toTable } from "../../table.ts";

export async function listCustomersCommand({ database }: Context): Promise<Outcome> {
  const customers = [];
  for await (const customer of eachCustomer(database)) customers.push(customer);
  return {
    value: customers,
    text: toTable([
      ["MSISDN", "FIRST NAME", "LAST NAME", "KYC", "LIMIT", "BALANCE", "STATE"],
      ...customers.map((customer) => [
        customer.msisdn,
        customer.firstName,
        customer.lastName,
        customer.kycStatus,
        customer.balanceMax === null ? "" : toFrancs(customer.balanceMax),
        toFrancs(customer.balance),
        isWalletFrozen(customer) ? "frozen" : "",
      ]),
    ]),
  };
}
