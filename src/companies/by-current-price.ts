import type { Queryable } from "../database/database.ts";
import { InvalidRequest } from "../http/errors.ts";
import type { Company } from "./company.ts";
import { PriceChanged } from "./errors.ts";
import { findCompany } from "./find-company.ts";

/** Nobody changes a price as often as that while one request is served. */
const attemptsMax = 3;

/**
 * Judges a request by the fees and limits that hold. A node remembers a company for a while, so what it knows may be
 * old. An acceptance at an old price is refused under the company's lock (PriceChanged), and a refusal by old limits is
 * looked at again here: in both cases the request is judged once more, by what the database says now.
 */
export async function byCurrentPrice<Result>(
  database: Queryable,
  remembered: Company,
  judge: (company: Company) => Result | Promise<Result>,
): Promise<Result> {
  let company = remembered;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await judge(company);
    } catch (error) {
      if (!dependsOnPrice(error) || attempt === attemptsMax) throw error;
      const current = await findCompany(database, company.id).catch(() => undefined);
      if (current === undefined || current.priceNumber === company.priceNumber) throw error;
      company = current;
    }
  }
}

function dependsOnPrice(error: unknown): boolean {
  if (error instanceof PriceChanged) return true;
  return (
    error instanceof InvalidRequest &&
    error.details?.some(({ field, code }) => field === "amount" && code === "out_of_range") === true
  );
}
