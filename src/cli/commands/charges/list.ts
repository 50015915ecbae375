import type { ListChargesQuery } from "@cauri/sdk";
import { callService } from "../../call-service.ts";
import { Clock, type TypedMoment } from "../../clock.ts";
import type { Outcome } from "../../context.ts";
import { type PageOptions, toPageOutcome } from "../../page-outcome.ts";
import { type ClientOptions, readClient } from "../../read-client.ts";
import { toFrancs } from "../../table.ts";

export interface ListOptions extends ClientOptions, PageOptions {
  readonly status?: NonNullable<ListChargesQuery["status"]>;
  readonly externalId?: string;
  readonly subCompany?: string;
  readonly since?: TypedMoment;
  readonly until?: TypedMoment;
}

export async function listChargesCommand(options: ListOptions): Promise<Outcome> {
  const client = await readClient(process.env, options);
  const { status, externalId, subCompany, since, until, limit, cursor } = options;
  return callService(client, {}, async (cauri) => {
    const clock = new Clock((await cauri.company()).timeZone);
    const query = {
      limit,
      ...(status === undefined ? {} : { status }),
      ...(externalId === undefined ? {} : { externalId }),
      ...(subCompany === undefined ? {} : { subCompanyId: subCompany }),
      ...(since === undefined ? {} : { createdFrom: since(clock).toISOString() }),
      ...(until === undefined ? {} : { createdTo: until(clock).toISOString() }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    const page = await cauri.charges.list(query).page();
    const table = {
      headings: ["CHARGE", "STATUS", "AMOUNT", "PAID", "REFUNDED", "EXTERNAL ID", "CREATED"],
      cells: (charge: (typeof page.data)[number]) => [
        charge.id,
        charge.droppedReason === null ? charge.status : `${charge.status}: ${charge.droppedReason}`,
        toFrancs(charge.amount),
        toFrancs(charge.paid),
        toFrancs(charge.refunded),
        charge.externalId,
        clock.show(charge.createdAt),
      ],
    };
    return toPageOutcome({ next: page.cursor.next }, page.data, table, clock);
  });
}
