import type { Queryable } from "../database/database.ts";
import type { Company } from "./company.ts";
import { selectCompanies } from "./store.ts";

const pageSize = 200;

/** Every company with its available balance, oldest first, read a page at a time. */
export async function* eachCompany(
  database: Queryable,
): AsyncGenerator<Company & { readonly balance: number }> {
  let after: string | undefined;
  while (true) {
    const page = await selectCompanies(database, after, pageSize);
    yield* page;
    after = page.at(-1)?.id;
    if (page.length < pageSize) return;
  }
}
