import { listSubCompanies } from "../../../companies/sub-companies.ts";
import { subCompanyIdPrefix } from "../../../companies/sub-company.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { parsePageRequest } from "../../../kernel/page.ts";
import type { Context, Outcome } from "../../context.ts";
import { findClock } from "../../find-clock.ts";
import { type PageOptions, toPageOutcome } from "../../page-outcome.ts";

export async function listSubCompaniesCommand(
  context: Context,
  companyId: string,
  options: PageOptions,
): Promise<Outcome> {
  const { database } = context;
  const clock = await findClock(context, companyId);
  const request = parsePageRequest({ name: "sub-companies", companyId }, options);
  const page = await listSubCompanies(database, companyId, request);
  const rows = page.rows.map((subCompany) => ({
    id: toPublicId(subCompanyIdPrefix, subCompany.id),
    name: subCompany.name,
    isActive: subCompany.isActive,
    logoUrl: subCompany.logoUrl,
    createdAt: subCompany.createdAt.toISOString(),
    updatedAt: subCompany.updatedAt.toISOString(),
  }));
  return toPageOutcome(
    page,
    rows,
    {
      headings: ["SUB-COMPANY", "NAME", "CREATED", "STATE"],
      cells: ({ id, name, createdAt, isActive }) => [
        id,
        name,
        clock.show(createdAt),
        isActive ? "" : "inactive",
      ],
    },
    clock,
  );
}
