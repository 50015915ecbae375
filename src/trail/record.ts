import type { Tx } from "../database/database.ts";
import { newNonce } from "../kernel/ordered-id.ts";
import { CompanyFrozen } from "../ledger/errors.ts";
import { isFrozen } from "../ledger/freeze.ts";
import { type Actor, type ConsolePerson, isOperator, type Operator } from "./actor.ts";
import {
  insertCompanyEntry,
  insertCustomerEntries,
  insertCustomerEntry,
  insertPersonEntry,
} from "./store.ts";
import {
  type CompanyAction,
  type CustomerAction,
  changesBetween,
  type Fields,
  type PersonAction,
} from "./trail.ts";

/**
 * Writes down who changed what of a company. Part of the transaction that changes it: both happen, or neither. The holder
 * of a key and a company's people of the console change nothing of a frozen company but who they are, also on a node that has
 * not heard of it yet: throws CompanyFrozen.
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
  const mayBeRefused = !isOperator(by) && !action.startsWith("person.");
  if (mayBeRefused && (await isFrozen(tx, companyId))) throw new CompanyFrozen();
  await insertCompanyEntry(tx, companyId, newNonce(), by, action, subject, textOf(from, to));
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

function textOf(from: Fields, to: Fields): string | null {
  const changes = changesBetween(from, to);
  return Object.keys(changes).length === 0 ? null : JSON.stringify(changes);
}
