import { setWalletFrozen } from "../../../customers/keep-book.ts";
import { operator } from "../../../trail/actor.ts";
import { confirm } from "../../confirm.ts";
import type { Context, Outcome } from "../../context.ts";
import type { Yes } from "../../run.ts";

export async function freezeCustomerCommand(
  { database }: Context,
  msisdn: string,
  options: Yes,
): Promise<Outcome> {
  await confirm(`Freeze the wallet of ${msisdn}? It will neither receive nor pay.`, options);
  const isNew = await setWalletFrozen(database, msisdn, true, operator("customer freeze"));
  return {
    value: { msisdn, frozen: true, changed: isNew },
    text: isNew
      ? `The wallet of ${msisdn} is frozen: it neither receives nor pays.`
      : `The wallet of ${msisdn} was frozen already.`,
  };
}

/** A customer whose identification was rejected stays frozen for that: `customer set --kyc` ends it. */
export async function unfreezeCustomerCommand(
  { database }: Context,
  msisdn: string,
  options: Yes,
): Promise<Outcome> {
  await confirm(`Unfreeze the wallet of ${msisdn}?`, options);
  const isNew = await setWalletFrozen(database, msisdn, false, operator("customer unfreeze"));
  return {
    value: { msisdn, frozen: false, changed: isNew },
    text: isNew
      ? `The wallet of ${msisdn} is no longer frozen by the operator. (KYC "rejected" freezes it too.)`
      : `The wallet of ${msisdn} was not frozen by the operator.`,
  };
}
