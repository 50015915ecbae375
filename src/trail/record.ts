import type { Tx } from "../database/database.ts";
import { newNonce } from "../kernel/ordered-id.ts";
import type { Actor, ConsolePerson, Operator } from "./actor.ts";
import { countUnseen } from "./changes-store.ts";
import { requireOpen } from "./require-open.ts";
import { requireSession } from "./require-session.ts";
import {
  insertCompanyEntry,
  insertCustomerEntries,
  insertCustomerEntry,
  insertInstallationEntry,
  insertPersonEntry,
} from "./store.ts";
import {
  type CompanyAction,
  type CustomerAction,
  changesBetween,
  type Fields,
  type InstallationAction,
  type PersonAction,
  toldToOwners,
} from "./trail.ts";

/** What may end the session of whoever does it. Those who do such things look at the session first. */
const endsSessions = /^(?:person|member|access)\./;

/**
 * Writes down who changed what of a company. Part of the transaction that changes it: both happen, or neither. Throws
 * CompanyFrozen where requireOpen does. Nobody changes anything in a session that has ended meanwhile: throws NotPermitted.
 */
export async function recordForCompany(
  tx: Tx,
  companyId: string,
  by: Actor,
  entry: {
    readonly action: CompanyAction;
    readonly subject: string;
    readonly from?: Fields;
    readonly to?: Fields;
  },
): Promise<void> {
  const { action, subject, from = {}, to = {} } = entry;
  await requireOpen(tx, companyId, by, action);
  if (!endsSessions.test(action)) await requireSession(tx, by);
  await insertCompanyEntry(tx, companyId, newNonce(), by, action, subject, textOf(from, to));
  // Here, so that nothing of it can change without the owners being told.
  if (toldToOwners.has(action))
    await countUnseen(tx, companyId, "personId" in by ? by.personId : null);
}

/** The same for a person of the console, whichever companies it works for. */
export async function recordForPerson(
  tx: Tx,
  personId: string,
  by: Operator | ConsolePerson,
  entry: { readonly action: PersonAction; readonly from?: Fields; readonly to?: Fields },
): Promise<void> {
  const { action, from = {}, to = {} } = entry;
  await insertPersonEntry(tx, personId, newNonce(), by, action, textOf(from, to));
}

/** The same for the customer book, which only the operator changes. */
export async function recordForCustomer(
  tx: Tx,
  msisdn: string,
  by: Operator,
  entry: { readonly action: CustomerAction; readonly from?: Fields; readonly to?: Fields },
): Promise<void> {
  const { action, from = {}, to = {} } = entry;
  await insertCustomerEntry(tx, msisdn, newNonce(), by, action, textOf(from, to));
}

/** The same for many customers at once. */
export async function recordForCustomers(
  tx: Tx,
  by: Operator,
  entries: readonly {
    readonly msisdn: string;
    readonly action: CustomerAction;
    readonly from?: Fields;
    readonly to?: Fields;
  }[],
): Promise<void> {
  await insertCustomerEntries(
    tx,
    by,
    entries.map(({ msisdn, action, from = {}, to = {} }) => ({
      msisdn,
      action,
      nonce: newNonce(),
      changes: textOf(from, to),
    })),
  );
}

/** The same for the installation as a whole, which is no company's. */
export async function recordForInstallation(
  tx: Tx,
  by: Operator,
  entry: { readonly action: InstallationAction; readonly subject: string; readonly to?: Fields },
): Promise<void> {
  const changes = textOf({}, entry.to ?? {});
  await insertInstallationEntry(tx, newNonce(), by, entry.action, entry.subject, changes);
}

function textOf(from: Fields, to: Fields): string | null {
  const changes = changesBetween(from, to);
  return Object.keys(changes).length === 0 ? null : JSON.stringify(changes);
}
