import type { Database, Tx } from "../database/database.ts";
import type { Operator } from "../trail/actor.ts";
import { recordForCustomers } from "../trail/record.ts";
import { insertCustomers, lockCustomers, updateCustomers } from "./book-store.ts";
import type { KnownCustomer } from "./customer.ts";
import { CustomersChangedMeanwhile } from "./errors.ts";
import { fieldsOf } from "./keep-book.ts";
import type { CustomerRow, RowProblem } from "./read-customers.ts";
import { selectKnownCustomers } from "./store.ts";

const setSize = 1_000;
const attemptsMax = 5;

/** What a file would do to the book. */
export interface ImportReview {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly problems: readonly RowProblem[];
}

interface Decision {
  readonly added: readonly KnownCustomer[];
  readonly changed: readonly { readonly before: KnownCustomer; readonly after: KnownCustomer }[];
  readonly unchanged: number;
  readonly problems: readonly RowProblem[];
}

/** Looks, and changes nothing. */
export async function reviewImport(
  database: Database,
  rows: readonly CustomerRow[],
): Promise<ImportReview> {
  const review = { added: 0, changed: 0, unchanged: 0, problems: [] as RowProblem[] };
  for (const set of setsOf(rows)) {
    const known = await selectKnownCustomers(
      database,
      set.map(({ msisdn }) => msisdn),
    );
    const { added, changed, unchanged, problems } = decide(set, known);
    review.added += added.length;
    review.changed += changed.length;
    review.unchanged += unchanged;
    review.problems.push(...problems);
  }
  return review;
}

/**
 * Adds those who are new and changes the others, in sets that are each done wholly or not at all. Stopped in the middle and run
 * again, it finds unchanged what it did before. Yields how many rows are done.
 */
export async function* importCustomers(
  database: Database,
  rows: readonly CustomerRow[],
  by: Operator,
): AsyncGenerator<number> {
  let done = 0;
  // In the order of the numbers, so that two who share people wait for each other and never deadlock.
  for (const set of setsOf(rows.toSorted((one, other) => (one.msisdn < other.msisdn ? -1 : 1)))) {
    await importSet(database, set, by);
    done += set.length;
    yield done;
  }
}

async function importSet(
  database: Database,
  set: readonly CustomerRow[],
  by: Operator,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await database.transaction((tx) => keepSet(tx, set, by));
      return;
    } catch (error) {
      if (!(error instanceof CustomersChangedMeanwhile) || attempt === attemptsMax) throw error;
    }
  }
}

async function keepSet(tx: Tx, set: readonly CustomerRow[], by: Operator): Promise<void> {
  const known = await lockCustomers(
    tx,
    set.map(({ msisdn }) => msisdn),
  );
  const { added, changed, problems } = decide(set, known);
  if (problems.length > 0) throw new CustomersChangedMeanwhile();
  if (added.length > 0) {
    const inserted = await insertCustomers(tx, added);
    // Somebody else added one of them after the look: the next try finds and locks it.
    if (inserted.size < added.length) throw new CustomersChangedMeanwhile();
  }
  if (changed.length > 0)
    await updateCustomers(
      tx,
      changed.map(({ after }) => after),
    );
  const entries = [
    ...added.map((customer) => ({
      msisdn: customer.msisdn,
      action: "customer.added" as const,
      to: fieldsOf(customer),
    })),
    ...changed.map(({ before, after }) => ({
      msisdn: after.msisdn,
      action: "customer.changed" as const,
      from: fieldsOf(before),
      to: fieldsOf(after),
    })),
  ];
  if (entries.length > 0) await recordForCustomers(tx, by, entries);
}

/** What each row means, given who is in the book. */
function decide(set: readonly CustomerRow[], known: readonly KnownCustomer[]): Decision {
  const book = new Map(known.map((customer) => [customer.msisdn, customer]));
  const added: KnownCustomer[] = [];
  const changed: { before: KnownCustomer; after: KnownCustomer }[] = [];
  const problems: RowProblem[] = [];
  let unchanged = 0;
  for (const { line, msisdn, change } of set) {
    const before = book.get(msisdn);
    const { firstName, lastName, kycStatus } = change;
    if (before !== undefined) {
      const after = { ...before, ...change };
      if (isSame(before, after)) unchanged += 1;
      else changed.push({ before, after });
    } else if (firstName === undefined || lastName === undefined || kycStatus === undefined) {
      const message = `${msisdn} is not in the book yet, so that first name, last name and kyc are needed.`;
      problems.push({ line, message });
    } else {
      const balanceMax = change.balanceMax ?? null;
      added.push({ msisdn, firstName, lastName, kycStatus, balanceMax, isFrozen: false });
    }
  }
  return { added, changed, unchanged, problems };
}

function isSame(one: KnownCustomer, other: KnownCustomer): boolean {
  return (
    one.firstName === other.firstName &&
    one.lastName === other.lastName &&
    one.kycStatus === other.kycStatus &&
    one.balanceMax === other.balanceMax
  );
}

function* setsOf(rows: readonly CustomerRow[]): Generator<readonly CustomerRow[]> {
  for (let start = 0; start < rows.length; start += setSize)
    yield rows.slice(start, start + setSize);
}
