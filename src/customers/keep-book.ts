import type { Database } from "../database/database.ts";
import type { Customer } from "./customer.ts";
import { CustomerExists, CustomerNotFound } from "./errors.ts";
import { insertCustomer, selectCustomer, selectCustomers, updateCustomer } from "./store.ts";

/** Puts a person into the book, with an empty wallet. */
export async function addCustomer(database: Database, customer: Customer): Promise<void> {
  const isNew = await database.transaction((tx) => insertCustomer(tx, customer));
  if (!isNew) throw new CustomerExists();
}

/** Changes what is given of a person and keeps the rest. */
export async function setCustomer(
  database: Database,
  msisdn: string,
  change: Partial<Omit<Customer, "msisdn">>,
): Promise<Customer> {
  return database.transaction(async (tx) => {
    const customer = await selectCustomer(tx, msisdn);
    if (customer === undefined) throw new CustomerNotFound();
    const changed = { ...customer, ...change };
    await updateCustomer(tx, changed);
    return changed;
  });
}

const pageSize = 500;

/** The whole book in the order of the numbers, with what each wallet holds, read a page at a time. */
export async function* eachCustomer(
  database: Database,
): AsyncGenerator<Customer & { readonly balance: number }> {
  let after = "";
  while (true) {
    const page = await selectCustomers(database, after, pageSize);
    yield* page;
    after = page.at(-1)?.msisdn ?? "";
    if (page.length < pageSize) return;
  }
}
