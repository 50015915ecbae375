import type { Tx } from "../database/database.ts";
import { type ConsolePerson, type Operator, operator } from "../trail/actor.ts";
import { recordForPerson } from "../trail/record.ts";
import { selectDigestOfCredentials } from "./credentials-digest-store.ts";

/** Enters the digest of what a person signs in with in the person's own trail, in the transaction that has changed it: the audit compares. */
export async function recordCredentials(
  tx: Tx,
  personId: string,
  by: Operator | ConsolePerson = operator(),
): Promise<void> {
  const digest = await selectDigestOfCredentials(tx, personId);
  if (digest === undefined) return;
  await recordForPerson(tx, personId, by, { action: "person.credentials_set", to: { digest } });
}
