import type { ChargeStatus } from "../../../charges/charge.ts";
import { listStoredCharges } from "../../../charges/look-up.ts";
import { getCompany } from "../../../companies/find-company.ts";
import { parsePageRequest } from "../../../kernel/page.ts";
import type { Context, Outcome } from "../../context.ts";
import { type PageOptions, toPageOutcome } from "../../page-outcome.ts";
import { toFrancs } from "../../table.ts";
import { toChargeValue } from "./show.ts";

export interface ListChargesOptions extends PageOptions {
  readonly status?: ChargeStatus;
  readonly subCompany?: string;
  readonly since?: Date;
  readonly until?: Date;
}

export async function listChargesCommand(
  { database }: Context,
  companyId: string,
  options: ListChargesOptions,
): Promise<Outcome> {
  await getCompany(database, companyId);
  const { status, subCompany, since, until } = options;
  const request = parsePageRequest({ name: "charges", companyId }, options);
  const filter = {
    ...(status === undefined ? {} : { status }),
    ...(subCompany === undefined ? {} : { subCompanyId: subCompany }),
    ...(since === undefined ? {} : { createdFrom: since }),
    ...(until === undefined ? {} : { createdTo: until }),
  };
  const page = await listStoredCharges(database, companyId, filter, request);
  return toPageOutcome(page, page.rows.map(toChargeValue), {
    headings: ["CHARGE", "CREATED", "AMOUNT", "PAID", "REFUNDED", "STATUS", "EXTERNAL ID"],
    cells: (charge) => [
      charge.id,
      charge.createdAt,
      toFrancs(charge.amount),
      toFrancs(charge.paid),
      toFrancs(charge.refunded),
      charge.status,
      charge.externalId,
    ],
  });
}
