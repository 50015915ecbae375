import { expect } from "vitest";
import { checkHistory } from "../../torture/history/check/check-history.ts";
import type { CompanyState } from "../../torture/history/final-state.ts";
import type { Act, Operation } from "../../torture/history/operation.ts";
import type { History } from "../../torture/history/recorder.ts";
import type { Outcome } from "../../torture/traffic/client.ts";

export type Writable<Type> = Type extends (infer Item)[] | readonly (infer Item)[]
  ? Writable<Item>[]
  : Type extends object
    ? { -readonly [Key in keyof Type]: Writable<Type[Key]> }
    : Type;

export const company = "com_a";
const msisdn = "2250700000000";

/** One client, one after the other, each for five milliseconds. */
function operationsOf(steps: readonly (readonly [Act, Outcome])[]): Operation[] {
  return steps.map(([act, outcome], place) => ({
    id: place + 1,
    client: "0.0",
    node: place % 2 === 0 ? "one" : "two",
    company,
    act,
    begunMs: place * 10,
    endedMs: place * 10 + 5,
    outcome,
  }));
}

export const ok = (body: unknown, status = 200): Outcome => ({ kind: "ok", status, body });
const unknown: Outcome = { kind: "unknown", why: "UND_ERR_SOCKET" };
export const send = (reference: string, amount = 5_000): Act => ({
  kind: "transfer",
  rows: [{ reference, amount, msisdn }],
});
export const payment = { id: "p1", type: "payment", status: "completed", amount: 10_000 } as const;
export const refund = { id: "f1", type: "refund", status: "completed", amount: 3_001 } as const;

/** Where each step stands in the good history. */
export const steps = {
  transfer: 0,
  balance: 1,
  charge: 2,
  pay: 3,
  refund: 4,
  readTransfer: 5,
  readCharge: 6,
  unknownTransfer: 7,
  repeatedTransfer: 8,
  refusedTransfer: 9,
  list: 10,
  fund: 11,
  statement: 12,
  events: 13,
  lastBalance: 14,
} as const;

/** A history that every check lets pass; each test spoils one thing of it. */
export function goodHistory(): Writable<History> {
  const lines = [
    { number: 1, id: "fund0", amount: 100_000, balanceAfter: 100_000 },
    { number: 2, id: "txn_1", amount: -5_000, balanceAfter: 95_000 },
    { number: 4, id: "p1", amount: 10_000, balanceAfter: 105_000 },
    { number: 5, id: "f1", amount: -3_001, balanceAfter: 101_999 },
    { number: 6, id: "txn_2", amount: -6_000, balanceAfter: 95_999 },
    { number: 8, id: "fund1", amount: 500, balanceAfter: 96_499 },
  ];
  const posting = (
    number: number,
    event: string,
    subject: string,
    credit: string,
    amount: number,
    availableAfter: number | null,
  ) => ({ number, event, subject, credit, amount, availableAfter });
  const event = (number: number, topic: string, subject: string) => ({
    number,
    topic,
    subject,
    message: `m${number}`,
    digest: `d${number}`,
  });
  const events = [
    event(1, "transactions/started", "u1"),
    event(2, "transactions/completed", "u1"),
    event(3, "charge/events", "c1"),
    event(4, "charge/events", "c1"),
    event(5, "transactions/started", "u2"),
    event(6, "transactions/failed", "u2"),
  ];
  const state: CompanyState = {
    company,
    books: { available: 102_499, in_flight: 0, fees: 0, external: -100_500, paid_out: -1_999 },
    postings: [
      posting(1, "company.funded", "fund0", "available", 100_000, 100_000),
      posting(2, "transfer.reserved", "u1", "in_flight", 5_000, 95_000),
      posting(3, "transfer.completed", "u1", "paid_out", 5_000, null),
      posting(4, "charge.paid", "p1", "available", 10_000, 105_000),
      posting(5, "charge.refunded", "f1", "paid_out", 3_001, 101_999),
      posting(6, "transfer.reserved", "u2", "in_flight", 6_000, 95_999),
      posting(7, "transfer.released", "u2", "available", 6_000, 101_999),
      posting(8, "company.funded", "fund1", "available", 500, 102_499),
    ],
    transfers: [
      {
        id: "txn_1",
        uuid: "u1",
        reference: "r1",
        amount: 5_000,
        fee: 0,
        msisdn,
        batchId: null,
        status: "completed",
      },
      {
        id: "txn_2",
        uuid: "u2",
        reference: "r2",
        amount: 6_000,
        fee: 0,
        msisdn,
        batchId: null,
        status: "failed",
      },
    ],
    charges: [
      {
        id: "c1",
        externalId: "e1",
        amount: 10_000,
        status: "refunded_partially",
        paid: 10_000,
        refunded: 3_001,
        attempts: 1,
        transactions: [payment, refund],
      },
    ],
    movements: [{ kind: "fund", uuid: "fund1", reference: "f-1", amount: 500 }],
    events,
    balances: [102_499, 102_499],
    statements: [
      {
        source: "pages of one",
        opening: 0,
        closing: 102_499,
        lines: [
          ...lines.slice(0, 5),
          { number: 7, id: "txn_2", amount: 6_000, balanceAfter: 101_999 },
          { number: 8, id: "fund1", amount: 500, balanceAfter: 102_499 },
        ],
      },
    ],
  };
  const charge = (transactions: readonly object[], status: string) => ({
    id: "c1",
    status,
    transactions,
  });
  const operations = operationsOf([
    [send("r1"), ok({ id: "txn_1", status: "pending" }, 201)],
    [{ kind: "read balance" }, ok({ balance: 95_000 })],
    [{ kind: "charge", externalId: "e1", amount: 10_000 }, ok(charge([], "created"), 201)],
    [{ kind: "pay", chargeId: "c1", msisdn }, ok(charge([payment], "paid"))],
    [
      { kind: "refund", chargeId: "c1", amount: 3_001, key: "k" },
      ok(charge([payment, refund], "refunded_partially")),
    ],
    [{ kind: "read transfer", id: "txn_1" }, ok({ id: "txn_1", status: "completed" })],
    [{ kind: "read charge", id: "c1" }, ok(charge([payment, refund], "refunded_partially"))],
    [send("r2", 6_000), unknown],
    [send("r2", 6_000), { kind: "refused", status: 409, code: "duplicate_reference" }],
    [send("r3", 200_000), { kind: "refused", status: 402, code: "insufficient_funds" }],
    [
      { kind: "list transfers" },
      ok({
        data: [
          { id: "txn_2", status: "failed" },
          { id: "txn_1", status: "completed" },
        ],
      }),
    ],
    [{ kind: "fund", reference: "f-1", amount: 500 }, ok("500 francs added")],
    [
      { kind: "read statement" },
      ok({
        openingBalance: 0,
        closingBalance: 102_499,
        totals: [{ amount: 102_499 }],
        data: lines.slice(0, 3),
      }),
    ],
    [
      { kind: "pull events", after: 1 },
      ok({ data: [{ sequence: 2, topic: "transactions/completed" }], lastSequence: 2 }),
    ],
    [{ kind: "read balance" }, ok({ balance: 102_499 })],
  ]);
  const told = events.map(({ message, digest }, place) => ({
    company,
    atMs: 200 + place,
    message,
    digest,
  }));
  return structuredClone({
    operations,
    told,
    state: { companies: [state], wallets: -1_999, walletEntries: -1_999, auditFindings: [] },
  } satisfies History) as unknown as Writable<History>;
}

/** A lie, and what the checker has to say of it. */
export interface Spoilt {
  /** What the service would have done. */
  readonly what: string;
  spoil(history: Writable<History>): void;
  readonly finding: RegExp;
}

export const bodyOf = ({ operations }: Writable<History>, step: keyof typeof steps) => {
  const outcome = operations[steps[step]]?.outcome;
  if (outcome?.kind !== "ok") throw new Error(`${step} has no answer`);
  return outcome.body;
};
export const booksOf = ({ state }: Writable<History>) => {
  const [first] = state.companies;
  if (first === undefined) throw new Error("no company");
  return first;
};
export const stepOf = ({ operations }: Writable<History>, step: keyof typeof steps) => {
  const operation = operations[steps[step]];
  if (operation === undefined) throw new Error(`no ${step}`);
  return operation;
};

/** The checker finds the lie. */
export function expectFound(one: Spoilt): void {
  const history = goodHistory();
  one.spoil(history);
  expect(checkHistory(history).findings).toContainEqual(expect.stringMatching(one.finding));
}
