import { companyIdPrefix } from "../companies/company.ts";
import { getCompany } from "../companies/find-company.ts";
import { eachCompany } from "../companies/list-companies.ts";
import type { Queryable } from "../database/database.ts";
import { toPublicId } from "../kernel/ids.ts";
import { NothingFound, SeveralFound } from "./errors.ts";

export interface Place {
  readonly companyId: string;
  readonly id: string;
}

/** Companies that are asked at once. */
const companiesMax = 200;

/**
 * The one thing that a text means: of the company that is named, or of any. Everything is kept by company, so without
 * one the companies are gone through, many at a time. Throws NothingFound, SeveralFound.
 */
export async function findPlace(
  database: Queryable,
  what: string,
  text: string,
  companyId: string | undefined,
  lookUp: (companyIds: readonly string[], text: string) => Promise<readonly Place[]>,
): Promise<Place> {
  const found: Place[] = [];
  if (companyId !== undefined) {
    await getCompany(database, companyId);
    found.push(...(await lookUp([companyId], text)));
  } else {
    for await (const ids of companyIds(database)) found.push(...(await lookUp(ids, text)));
  }
  const [first, ...others] = found;
  if (first === undefined) throw new NothingFound(what, text);
  if (others.length > 0)
    throw new SeveralFound(
      what,
      text,
      [...new Set(found.map((place) => toPublicId(companyIdPrefix, place.companyId)))].slice(0, 10),
    );
  return first;
}

async function* companyIds(database: Queryable): AsyncGenerator<string[]> {
  let ids: string[] = [];
  for await (const { id } of eachCompany(database)) {
    ids.push(id);
    if (ids.length < companiesMax) continue;
    yield ids;
    ids = [];
  }
  if (ids.length > 0) yield ids;
}
