import type { Company } from "../../companies/company.ts";
import { placeOfCompany } from "../../companies/find-company.ts";
import type { Database } from "../../database/database.ts";
import type { Country } from "../../kernel/countries.ts";
import { withoutSlashes } from "../../kernel/without-slashes.ts";
import { findSubCompanyId } from "../find-sub-company.ts";
import { listLedgerKeys } from "../ledger-key.ts";
import { readPeriod } from "../period.ts";
import { readStatement } from "../read-statement.ts";
import type { LedgerKey } from "../seal.ts";
import type { Statement } from "../statement.ts";
import type { Exporter } from "./export-rows.ts";

/** What an export is asked with: days or moments, both included, and a sub-company or none. */
export interface ExportRequest {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly subCompanyId?: string | undefined;
}

export interface ExportSettings {
  readonly database: Database;
  readonly country: Country;
  readonly key: LedgerKey;
  readonly publicUrl: string;
}

export const verifyPath = "/verify";

function verifyUrlOf(publicUrl: string): string {
  return `${withoutSlashes(publicUrl)}${verifyPath}`;
}

/** A company's statement, and what is needed to write it down. Nothing of its lines is read before they are asked for. */
export async function openStatement(
  { database, country, key, publicUrl }: ExportSettings,
  company: Pick<Company, "id" | "name" | "country" | "timeZone">,
  request: ExportRequest,
): Promise<{ readonly statement: Statement; readonly exporter: Exporter }> {
  const { timeZone } = placeOfCompany(company, country);
  const period = readPeriod(timeZone, request);
  const subCompanyId = await findSubCompanyId(database, company.id, request.subCompanyId);
  const keys = await listLedgerKeys(database, key);
  return {
    statement: await readStatement(database, { companyId: company.id, period, subCompanyId }),
    exporter: { companyName: company.name, timeZone, verifyUrl: verifyUrlOf(publicUrl), key, keys },
  };
}
