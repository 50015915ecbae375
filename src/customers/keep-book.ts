import type { Database, Tx } from "../database/database.ts";
import { type Operator, operator } from "../trail/actor.ts";
import { recordForCustomer } from "../trail/record.ts";
import type { CustomerAction, Fields } from "../trail/trail.ts";
import type { Customer, KnownCustomer } from "./customer.ts";
import { CustomerExists, CustomerNotFound } from "./errors.ts";
import {
  insertCustomer,
  lockCustomer,
  selectCustomers,
  selectCustomerWithBalance,
  updateCustomer,
} from "./store.ts";

/** Puts a person into the book, with an empty wallet. */
export async function addCustomer(
  database: Database,
  customer: Customer,
  by: Operator = operator(),
): Promise<void> {
  await database.transaction(async (tx) => {
    const added: KnownCustomer = { ...customer, isFrozen: false };
    if (!(await insertCustomer(tx, added))) throw new CustomerExists();
    const entry = { action: "customer.added", to: fieldsOf(added) } as const;
    await recordForCustomer(tx, customer.msisdn, by, entry);
  });
}

/** Changes what is given of a person and keeps the rest, whoever else changes something at the same time. */
export async function setCustomer(
  database: Database,
  msisdn: string,
  change: Partial<Omit<Customer, "msisdn">>,
  by: Operator = operator(),
): Promise<KnownCustomer> {
  return database.transaction(async (tx) => {
    const customer = await getLocked(tx, msisdn);
    return keep(tx, by, "customer.changed", customer, { ...customer, ...change });
  });
}

/**
 * Freezes a person's wallet or opens it again; false when it was so already. The wallet's lock is taken first, which
 * whoever moves its money holds: what came first stands, and what comes later is refused.
 */
export async function setWalletFrozen(
  database: Database,
  msisdn: string,
  isFrozen: boolean,
  by: Operator,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const customer = await getLocked(tx, msisdn);
    if (customer.isFrozen === isFrozen) return false;
    const action = isFrozen ? "customer.frozen" : "customer.unfrozen";
    await keep(tx, by, action, customer, { ...customer, isFrozen });
    return true;
  });
}

async function getLocked(tx: Tx, msisdn: string): Promise<KnownCustomer> {
  const customer = await lockCustomer(tx, msisdn);
  if (customer === undefined) throw new CustomerNotFound();
  return customer;
}

async function keep(
  tx: Tx,
  by: Operator,
  action: CustomerAction,
  before: KnownCustomer,
  after: KnownCustomer,
): Promise<KnownCustomer> {
  await updateCustomer(tx, after);
  const entry = { action, from: fieldsOf(before), to: fieldsOf(after) };
  await recordForCustomer(tx, after.msisdn, by, entry);
  return after;
}

export function fieldsOf(customer: KnownCustomer): Fields {
  const { firstName, lastName, kycStatus, balanceMax, isFrozen } = customer;
  return { firstName, lastName, kycStatus, balanceMax, isFrozen };
}

/** A person with what the wallet holds; throws CustomerNotFound. */
export async function getCustomer(
  database: Database,
  msisdn: string,
): Promise<KnownCustomer & { readonly balance: number }> {
  const customer = await selectCustomerWithBalance(database, msisdn);
  if (customer === undefined) throw new CustomerNotFound();
  return customer;
}

const pageSize = 500;

/** The whole book in the order of the numbers, with what each wallet holds, read a page at a time. */
export async function* eachCustomer(
  database: Database,
): AsyncGenerator<KnownCustomer & { readonly balance: number }> {
  let after = "";
  while (true) {
    const page = await selectCustomers(database, after, pageSize);
    yield* page;
    after = page.at(-1)?.msisdn ?? "";
    if (page.length < pageSize) return;
  }
}
