import type { Queryable } from "../database/database.ts";
import { normalized } from "../kernel/normalized.ts";
import type { Company } from "./company.ts";
import { selectCompanies } from "./store.ts";

const pageSize = 200;
/** Names have no index: a page looks at so many companies for a name, and leads on from there. */
const lookedAtMax = 1_000;

export type ListedCompany = Company & { readonly balance: number };

export interface CompanyPage {
  readonly companies: readonly ListedCompany[];
  /** Where the next page begins; undefined: there is none. */
  readonly after: string | undefined;
}

/** A page of all companies, oldest first; with a text, of those that have it in their name. */
export async function searchCompanies(
  database: Queryable,
  text: string,
  after: string | undefined,
  limit: number,
): Promise<CompanyPage> {
  const wanted = fold(text);
  const companies: ListedCompany[] = [];
  let last = after;
  for (let lookedAt = 0; lookedAt < lookedAtMax; lookedAt += pageSize) {
    const page = await selectCompanies(database, last, pageSize);
    for (const company of page) {
      if (companies.length === limit) return { companies, after: last };
      last = company.id;
      if (fold(company.name).includes(wanted)) companies.push(company);
    }
    if (page.length < pageSize) return { companies, after: undefined };
  }
  return { companies, after: last };
}

/** Without capitals and accents. */
function fold(text: string): string {
  return normalized(text, "NFD").replaceAll(/\p{M}/gu, "").toLowerCase().trim();
}

/** Every company with its available balance, oldest first, read a page at a time. */
export async function* eachCompany(database: Queryable): AsyncGenerator<ListedCompany> {
  let after: string | undefined;
  while (true) {
    const page = await selectCompanies(database, after, pageSize);
    yield* page;
    after = page.at(-1)?.id;
    if (page.length < pageSize) return;
  }
}
