import { callService } from "../../call-service.ts";
import type { Outcome } from "../../context.ts";
import { ReferenceTaken } from "../../errors.ts";
import { readClient } from "../../read-client.ts";
import { toFrancs } from "../../table.ts";
import { keyOf } from "../transfers/send.ts";
import { describeCharge } from "./describe.ts";

export interface CreateOptions {
  readonly amount: number;
  readonly externalId: string;
  readonly description: string;
  readonly onCompleted?: string;
  readonly onCanceled?: string;
  readonly subCompany?: string;
  readonly url?: string;
}

/** Asks to be paid. Run again with the same external id, it shows the charge that there is. */
export async function createChargeCommand(options: CreateOptions): Promise<Outcome> {
  const client = await readClient(process.env, options);
  const { amount, externalId, description, subCompany } = options;
  const whenUnknown =
    "No money has moved. Run the same command again: an external id makes one charge.";
  return callService(client, { whenUnknown }, async (cauri) => {
    const { data } = await cauri.charges.list({ externalId }).page();
    const [earlier] = data;
    if (earlier !== undefined && earlier.amount !== amount)
      throw new ReferenceTaken(externalId, `a charge of ${toFrancs(earlier.amount)}`);
    const charge =
      earlier ??
      (await cauri.charges.create(
        {
          amount,
          externalId,
          description,
          // Whoever has no shop yet comes back to the service's own page.
          onCompletedRedirectionUrl: options.onCompleted ?? client.url,
          onCanceledRedirectionUrl: options.onCanceled ?? client.url,
          ...(subCompany === undefined ? {} : { subCompanyId: subCompany }),
        },
        { idempotencyKey: keyOf("charge", externalId) },
      ));
    const note =
      earlier === undefined ? [] : ["This external id has a charge already. None was made now."];
    return {
      value: { ...charge, madeBefore: earlier !== undefined },
      text: [...note, describeCharge(charge)].join("\n"),
    };
  });
}
