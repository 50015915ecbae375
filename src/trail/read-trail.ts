import type { Queryable } from "../database/database.ts";
import {
  selectCompanyTrail,
  selectCustomerTrail,
  selectInstallationTrail,
  selectLastOfInstallation,
  selectStaffTrail,
  type TrailQuery,
} from "./store.ts";
import type { InstallationAction, TrailEntry } from "./trail.ts";

/** A page of the trail, newest first: of one company, or of everything: the customer book, the people of the console and the installation included. */
export async function readTrail(database: Queryable, query: TrailQuery): Promise<TrailEntry[]> {
  const ofCompanies = await selectCompanyTrail(database, query);
  if (query.companyId !== undefined) return ofCompanies;
  const others = [
    ...(await selectCustomerTrail(database, query)),
    ...(await selectStaffTrail(database, query)),
    ...(await selectInstallationTrail(database, query)),
  ];
  return [...ofCompanies, ...others]
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, query.limit);
}

/** When something last happened to the installation as a whole; undefined: never. */
export function findLastOfInstallation(
  database: Queryable,
  action: InstallationAction,
): Promise<Date | undefined> {
  return selectLastOfInstallation(database, action);
}
