import { isWalletFrozen } from "../../../customers/customer.ts";
import { getCustomer } from "../../../customers/keep-book.ts";
import type { Context, Outcome } from "../../context.ts";
import { toFrancs, toPairs } from "../../table.ts";

export async function showCustomerCommand(
  { database, config }: Context,
  msisdn: string,
): Promise<Outcome> {
  const customer = await getCustomer(database, msisdn);
  const { complete, otherwise } = config.walletMax;
  const holdsAtMost =
    customer.balanceMax ?? (customer.kycStatus === "complete" ? complete : otherwise);
  return {
    value: { ...customer, holdsAtMost, isWalletFrozen: isWalletFrozen(customer) },
    text: toPairs([
      ["number", customer.msisdn],
      ["name", `${customer.firstName} ${customer.lastName}`],
      ["KYC", customer.kycStatus],
      ["holds", toFrancs(customer.balance)],
      ["at most", toFrancs(holdsAtMost)],
      ["state", isWalletFrozen(customer) ? "frozen" : "in service"],
    ]),
  };
}
