import type { ChargeStatus } from "../../../charges/charge.ts";
import { listStoredCharges } from "../../../charges/look-up.ts";
import { parsePageRequest } from "../../../kernel/page.ts";
import type { TypedMoment } from "../../clock.ts";
import type { Context, Outcome } from "../../context.ts";
import { findClock } from "../../find-clock.ts";
import { type PageOptions, toPageOutcome } from "../../page-outcome.ts";
import { toFrancs } from "../../table.ts";
import { toChargeValue } from "./show.ts";

export interface ListChargesOptions extends PageOptions {
  readonly status?: ChargeStatus;
  readonly subCompany?: string;
  readonly since?: TypedMoment;
  readonly until?: TypedMoment;
}

export async function listChargesCommand(
  context: Context,
  companyId: string,
  options: ListChargesOptions,
): Promise<Outcome> {
  const { database } = context;
  const clock = await findClock(context, companyId);
  const { status, subCompany, since, until } = options;
  const request = parsePageRequest({ name: "charges", companyId }, options);
  const filter = {
    ...(status === undefined ? {} : { status }),
    ...(subCompany === undefined ? {} : { subCompanyId: subCompany }),
    ...(since === undefined ? {} : { createdFrom: since(clock) }),
    ...(until === undefined ? {} : { createdTo: until(clock) }),
  };
  const page = await listStoredCharges(database, companyId, filter, request);
  return toPageOutcome(
    page,
    page.rows.map(toChargeValue),
    {
      headings: ["CHARGE", "CREATED", "AMOUNT", "PAID", "REFUNDED", "STATUS", "EXTERNAL ID"],
      cells: (charge) => [
        charge.id,
        clock.show(charge.createdAt),
        toFrancs(charge.amount),
        toFrancs(charge.paid),
        toFrancs(charge.refunded),
        charge.status,
        charge.externalId,
      ],
    },
    clock,
  );
}
