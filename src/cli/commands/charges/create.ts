import { callService } from "../../call-service.ts";
import { commandFor, optionWords } from "../../command-for.ts";
import type { Outcome } from "../../context.ts";
import { ReferenceTaken } from "../../errors.ts";
import { type ClientOptions, readClient } from "../../read-client.ts";
import { toFrancs } from "../../table.ts";
import { keyOf } from "../transfers/send.ts";
import { describeCharge } from "./describe.ts";

export interface CreateOptions extends ClientOptions {
  readonly amount: number;
  readonly externalId: string;
  readonly description: string;
  readonly onCompleted?: string;
  readonly onCanceled?: string;
  readonly subCompany?: string;
}

/** Asks to be paid. Run again with the same external id, it shows the charge that there is. */
export async function createChargeCommand(options: CreateOptions): Promise<Outcome> {
  const client = await readClient(process.env, options);
  const { amount, externalId, description, subCompany } = options;
  const repeated = {
    "--amount": amount,
    "--external-id": externalId,
    "--description": description,
    "--on-completed": options.onCompleted,
    "--on-canceled": options.onCanceled,
    "--sub-company": subCompany,
  };
  const again = commandFor(client, "charges", "create", ...optionWords(repeated));
  const whenUnknown = `No money has moved. Run it again, an external id makes one charge: ${again}`;
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
