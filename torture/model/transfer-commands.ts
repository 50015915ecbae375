import fc from "fast-check";
import type { Books } from "./books.ts";
import { transferFeeOf } from "./books.ts";
import { Command, demandEqual, type Expected, sendAsExpected } from "./command.ts";

/** Few, so that they repeat. */
const reference = fc.integer({ min: 1, max: 60 }).map((number) => `r${number}`);
const amount = fc.integer({ min: 5_000, max: 40_000 });
export const person = fc.nat(4);
export const key = fc.option(
  fc.integer({ min: 1, max: 12 }).map((number) => `k${number}`),
  { nil: undefined, freq: 3 },
);
/** A place in the list of sub-companies, or none. */
export const subCompany = fc.option(fc.nat(3), { nil: undefined, freq: 5 });

const create = fc.record({ reference, amount, person, key, subCompany }).map(
  (request) =>
    new Command(`transfer ${JSON.stringify(request)}`, async (books, world) => {
      const msisdn = world.people[request.person] ?? "";
      const sub = pick(books, request.subCompany);
      const row = { reference: request.reference, amount: request.amount, msisdn };
      const body = { type: "transfer", ...row, ...named(sub) };
      const call = {
        method: "POST",
        path: "/v1/transactions",
        body,
        ...keyed(request.key),
      } as const;
      const expected = judge(books, sub, [row]);
      await sendAsExpected(books, world, call, expected, (answer) => {
        demandEqual(
          [answer.status, answer.fee, answer.totalAmount, answer.msisdn, answer.reference],
          [
            "pending",
            transferFeeOf(row.amount),
            row.amount + transferFeeOf(row.amount),
            msisdn,
            row.reference,
          ],
          "a new transfer",
        );
        books.accept(row.reference, row.amount, msisdn);
      });
    }),
);

const batch = fc
  .record({
    rows: fc.array(fc.record({ reference, amount, person }), { minLength: 1, maxLength: 4 }),
    key,
    subCompany,
  })
  .map(
    (request) =>
      new Command(`batch ${JSON.stringify(request)}`, async (books, world) => {
        const sub = pick(books, request.subCompany);
        const rows = request.rows.map((row) => ({
          reference: row.reference,
          amount: row.amount,
          msisdn: world.people[row.person] ?? "",
        }));
        const body = { transactions: rows, ...named(sub) };
        const path = "/v1/transactions/batch";
        const isRepeated = new Set(rows.map((row) => row.reference)).size < rows.length;
        // A batch that repeats a reference in itself is refused before its key is looked at.
        const call = {
          method: "POST",
          path,
          body,
          ...keyed(isRepeated ? undefined : request.key),
        } as const;
        const expected = isRepeated
          ? { status: 409, code: "duplicate_reference" }
          : judge(books, sub, rows);
        await sendAsExpected(books, world, call, expected, (answer) => {
          demandEqual(
            [answer.status, answer.totalAmount, answer.transactions.length],
            ["processing", rows.reduce((sum, row) => sum + row.amount, 0), rows.length],
            "a new batch",
          );
          for (const row of rows) books.accept(row.reference, row.amount, row.msisdn);
        });
      }),
  );

const settle = fc.constant(
  new Command("settle", async (books, world) => {
    await world.settle();
    books.settle();
  }),
);

const fund = fc.integer({ min: 1, max: 100_000 }).map(
  (francs) =>
    new Command(`fund ${francs}`, async (books, world) => {
      await world.fund(francs);
      books.available += francs;
      books.funded += francs;
    }),
);

const readBalance = fc.constant(
  new Command("read the balance", async (books, world) => {
    const { balance, currency } = await world.client.get("/v1/balance");
    demandEqual([balance, currency], [books.available, "XOF"], "the balance");
  }),
);

const readPending = fc.constant(
  new Command("list what is pending", async (books, world) => {
    const { data } = await world.client.get("/v1/transactions?status=pending&limit=100");
    const found = (data as { reference: string }[]).map((one) => one.reference);
    const expected = books.pending.map((one) => one.reference).toReversed();
    demandEqual(found, expected, "pending, newest first");
  }),
);

const readOne = reference.map(
  (wanted) =>
    new Command(`look up ${wanted}`, async (books, world) => {
      const { data } = await world.client.get(`/v1/transactions?reference=${wanted}`);
      const known = books.transfers.get(wanted);
      demandEqual(
        (data as Record<string, unknown>[]).map((one) => [
          one["amount"],
          one["status"],
          one["failureReason"],
        ]),
        known === undefined ? [] : [[known.amount, known.status, known.failureReason]],
        `transfer ${wanted}`,
      );
    }),
);

/** More often what moves money. */
export const transferCommands = [
  create,
  create,
  create,
  batch,
  batch,
  settle,
  fund,
  readBalance,
  readPending,
  readOne,
];

interface Row {
  readonly reference: string;
  readonly amount: number;
}

/** In the order of the service: sub-company, references, money. */
function judge(
  books: Books,
  sub: Books["subCompanies"][number] | undefined,
  rows: readonly Row[],
): Expected {
  if (sub?.isActive === false) return { status: 422, code: "sub_company_inactive" };
  if (rows.some((row) => books.transfers.has(row.reference)))
    return { status: 409, code: "duplicate_reference" };
  const total = rows.reduce((sum, row) => sum + row.amount + transferFeeOf(row.amount), 0);
  return total > books.available ? { status: 402, code: "insufficient_funds" } : { status: 201 };
}

export function pick(books: Books, place: number | undefined) {
  return place === undefined ? undefined : books.subCompanies[place];
}

export function named(sub: { readonly id: string } | undefined) {
  return sub === undefined ? {} : { subCompanyId: sub.id };
}

export function keyed(given: string | undefined): { readonly key?: string } {
  return given === undefined ? {} : { key: given };
}
