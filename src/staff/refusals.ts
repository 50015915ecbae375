import type { Database } from "../database/database.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { countTry } from "./login-store.ts";
import { recordEverywhere } from "./people.ts";
import type { Person } from "./person.ts";

/** What somebody came with. */
export type Factor = "password" | "code" | "passkey";

/** Of one person, one kind and one day: strangers cannot fill the trail. The log has all of them. */
const keptPerDay = 20;
const daySeconds = 86_400;

/**
 * Writes down that somebody was refused who came as this person: to sign in, or with a code in an open session. `count` says
 * how many there were in a day; after the twentieth the trail has no more of them.
 */
export async function recordRefusal(
  database: Database,
  person: Pick<Person, "id" | "email">,
  by: ConsolePerson,
  action: "person.sign_in_refused" | "person.code_refused",
  factor: Factor,
): Promise<void> {
  const subject = `trail:${action}:${factor}:${person.id}`;
  const { tries: count } = await countTry(database, subject, daySeconds);
  if (count > keptPerDay) return;
  await database.transaction((tx) =>
    recordEverywhere(tx, person, by, { action, to: { factor, count } }),
  );
}
