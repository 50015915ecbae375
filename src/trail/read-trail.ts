import type { Queryable } from "../database/database.ts";
import {
  selectCompanyTrail,
  selectCustomerTrail,
  selectStaffTrail,
  type TrailQuery,
} from "./store.ts";
import type { TrailEntry } from "./trail.ts";

/** A page of the trail, newest first: of one company, or of everything, the customer book and the people of the console included. */
export async function readTrail(database: Queryable, query: TrailQuery): Promise<TrailEntry[]> {
  const ofCompanies = await selectCompanyTrail(database, query);
  if (query.companyId !== undefined) return ofCompanies;
  const others = [
    ...(await selectCustomerTrail(database, query)),
    ...(await selectStaffTrail(database, query)),
  ];
  return [...ofCompanies, ...others]
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, query.limit);
}
