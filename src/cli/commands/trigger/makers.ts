import { randomUUID } from "node:crypto";
import type { Cauri, GetCompanyAnswer } from "@cauri/sdk";
import type { Topic } from "../../../webhooks/event.ts";
import { giveUp } from "./give-up.ts";

/** What a real event is made of: staging's own numbers, and the smallest amount that this account may send. */
export interface Ingredients {
  readonly cauri: Cauri;
  readonly amount: number;
  readonly numbers: NonNullable<GetCompanyAnswer["service"]["testNumbers"]>;
  readonly url: string;
}

export interface Made {
  /** Of the thing that the event tells of. */
  readonly id: string;
  /** Where a thing has several events of a topic: the status that is meant. */
  readonly status?: string;
}

type Maker = (ingredients: Ingredients) => Promise<Made>;

export const chargeStatuses = ["paid", "refunded", "refunded_partially", "dropped"] as const;
export type ChargeStatus = (typeof chargeStatuses)[number];

/** Each makes a real thing, whose event the service then tells as it tells every other. */
export const makers: Readonly<
  Record<Exclude<Topic, "charge/events" | "statements/sealed">, Maker>
> = {
  "transactions/started": ({ numbers, ...rest }) => transfer(numbers.success, rest),
  "transactions/completed": ({ numbers, ...rest }) => transfer(numbers.success, rest),
  "transactions/failed": ({ numbers, ...rest }) => transfer(numbers.failure, rest),
  "batches/completed": async ({ cauri, amount, numbers }) => {
    const transactions = [1, 2].map(() => ({
      amount,
      msisdn: numbers.success,
      reference: newReference(),
    }));
    return { id: (await cauri.batches.create({ transactions })).id };
  },
};

async function transfer(
  msisdn: string,
  { cauri, amount }: Pick<Ingredients, "cauri" | "amount">,
): Promise<Made> {
  return { id: (await cauri.transfers.create({ amount, msisdn, reference: newReference() })).id };
}

/** A charge that is paid, and given back where that is the event; or one that its payer gives up. */
export async function makeChargeEvent(
  { cauri, amount, numbers, url }: Ingredients,
  status: ChargeStatus,
): Promise<Made> {
  const { id, paymentUrl } = await cauri.charges.create({
    amount,
    externalId: newReference(),
    description: "Made by trigger",
    onCompletedRedirectionUrl: url,
    onCanceledRedirectionUrl: url,
  });
  if (status === "dropped") {
    await giveUp(paymentUrl, url);
    return { id, status };
  }
  await cauri.charges.pay(id, { recipientMsisdn: numbers.success });
  if (status === "refunded") await cauri.charges.refund(id);
  // The least that can be given back.
  if (status === "refunded_partially") await cauri.charges.refund(id, { amount: 1 });
  return { id, status };
}

function newReference(): string {
  return `trigger-${randomUUID()}`;
}
