import { readTrail } from "../src/trail/read-trail.ts";
import { ConsoleClient, signInOperator } from "./console.ts";
import type { TestDatabase, TestService } from "./fixtures.ts";

/** Where the pages of operators begin. */
export const operations = "/console/operations";
export const reason = "Clé volée, dossier 417";

/** An operator at a browser. */
export async function operatorOf(db: TestDatabase, service: TestService) {
  const who = await signInOperator(db);
  return { who, client: new ConsoleClient(service, who) };
}

/** What the trail says of an action: of a company, or of everything. */
export async function trailOf(
  { database }: TestDatabase,
  companyId: string | undefined,
  action: string,
) {
  const query = { companyId, since: undefined, before: undefined, limit: 100 };
  return (await readTrail(database, query))
    .filter((entry) => entry.action === action)
    .map(({ by, via, changes }) => ({
      by,
      via,
      said: Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to])),
    }));
}
