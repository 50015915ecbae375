import { expect, test } from "vitest";
import { checkHistory } from "../../torture/history/check/check-history.ts";
import type { Act } from "../../torture/history/operation.ts";
import {
  bodyOf,
  booksOf,
  expectFound,
  goodHistory,
  ok,
  payment,
  refund,
  type Spoilt,
  send,
  stepOf,
  steps,
  type Writable,
} from "./good-history.ts";

const spoilt: readonly Spoilt[] = [
  {
    what: "loses a transfer that was acknowledged",
    spoil: (history) => void booksOf(history).transfers.shift(),
    finding: /^transfer r1 happened 0 times, its sender was told 201/,
  },
  {
    what: "loses a charge that was acknowledged",
    spoil: (history) => void booksOf(history).charges.shift(),
    finding: /^charge e1 happened 0 times/,
  },
  {
    what: "loses a refund that was acknowledged",
    spoil: (history) => void booksOf(history).charges[0]?.transactions.pop(),
    finding: /^refund of 3001 of c1 happened 0 times/,
  },
  {
    what: "puts the operator's money in twice",
    spoil(history) {
      const { movements } = booksOf(history);
      movements.push({ kind: "fund", uuid: "fund2", reference: "f-1", amount: 500 });
    },
    finding: /^fund f-1 happened 2 times/,
  },
  {
    what: "makes one reference two transfers",
    spoil(history) {
      const { transfers } = booksOf(history);
      transfers.push({ ...transfers[0], id: "txn_9", uuid: "u9" } as (typeof transfers)[number]);
    },
    finding: /^transfer r1 happened 2 times/,
  },
  {
    what: "posts the payment of a transfer twice",
    spoil(history) {
      const { postings } = booksOf(history);
      postings.push({ ...postings[2], number: 9 } as (typeof postings)[number]);
    },
    finding: /transfer\.completed of u1 to paid_out was posted twice/,
  },
  {
    what: "pays a transfer that failed",
    spoil(history) {
      booksOf(history).postings.push({
        number: 9,
        event: "transfer.completed",
        subject: "u2",
        credit: "paid_out",
        amount: 6_000,
        availableAfter: null,
      });
    },
    finding: /^transfer r2 was paid and given back/,
  },
  {
    what: "pays a charge twice",
    spoil: (history) =>
      void booksOf(history).charges[0]?.transactions.push({ ...payment, id: "p2" }),
    finding: /^charge c1 was paid 2 times/,
  },
  {
    what: "refunds one key twice",
    spoil: (history) =>
      void booksOf(history).charges[0]?.transactions.push({ ...refund, id: "f2" }),
    finding: /^refund of 3001 of c1 happened 2 times/,
  },
  {
    what: "makes a transfer that it refused",
    spoil(history) {
      stepOf(history, "unknownTransfer").outcome = {
        kind: "refused",
        status: 503,
        code: "overloaded",
      };
      stepOf(history, "repeatedTransfer").outcome = {
        kind: "refused",
        status: 403,
        code: "company_frozen",
      };
    },
    finding: /^transfer r2 happened 1 times, its sender was told 503 overloaded/,
  },
  {
    what: "calls a first try a repeated one",
    spoil(history) {
      history.operations.splice(steps.unknownTransfer, 1);
    },
    finding: /^transfer r2 happened 1 times, its sender was told 409/,
  },
  {
    what: "pays somebody else",
    spoil(history) {
      const [transfer] = booksOf(history).transfers;
      if (transfer !== undefined) transfer.msisdn = "2250799999999";
    },
    finding: /^transfer r1 has another msisdn/,
  },
  {
    what: "answers an id that is another's",
    spoil: (history) => (bodyOf(history, "transfer").id = "txn_2"),
    finding: /^transfer r1 was told as txn_2/,
  },
  {
    what: "makes what nobody asked for",
    spoil(history) {
      history.operations.splice(steps.fund, 1);
    },
    finding: /^fund f-1 is in the books and nobody asked for it/,
  },
  {
    what: "answers a balance that there never was",
    spoil: (history) => (bodyOf(history, "balance").balance = 94_999),
    finding: /^no order explains read balance 2 .* a balance of 94999/,
  },
  {
    what: "answers the balance of before an acknowledged transfer",
    spoil: (history) => (bodyOf(history, "balance").balance = 100_000),
    finding: /^no order explains read balance 2/,
  },
  {
    what: "answers a balance that something begun later has changed",
    spoil: (history) => (bodyOf(history, "balance").balance = 105_000),
    finding: /^no order explains read balance 2/,
  },
  {
    what: "answers at one node what the other had already moved past",
    spoil(history) {
      // The payment is under way during all of it; the second answer takes back what the first has shown.
      const pay = stepOf(history, "pay");
      pay.begunMs = 11;
      pay.endedMs = 40;
      stepOf(history, "charge").begunMs = 10;
      stepOf(history, "charge").endedMs = 10.5;
      const first = stepOf(history, "balance");
      first.begunMs = 12;
      first.endedMs = 13;
      bodyOf(history, "balance").balance = 105_000;
      history.operations.push({
        ...first,
        id: 99,
        begunMs: 14,
        endedMs: 15,
        outcome: ok({ balance: 95_000 }),
      });
    },
    finding: /^no order explains read balance 99/,
  },
  {
    what: "refuses for want of money that was there",
    spoil(history) {
      const refused = stepOf(history, "refusedTransfer");
      refused.act = send("r3", 7_000) as Writable<Act>;
    },
    finding: /^no order explains transfer 10 .* less than 7000/,
  },
  {
    what: "posts what was begun later before what was acknowledged earlier",
    spoil(history) {
      const { postings } = booksOf(history);
      for (const place of [1, 5]) {
        const posting = postings[place];
        if (posting !== undefined) posting.subject = posting.subject === "u1" ? "u2" : "u1";
      }
    },
    finding: /^.* was acknowledged before .* was begun, and is posted as 6/,
  },
  {
    what: "does not find what was acknowledged",
    spoil(history) {
      history.operations.push({
        ...stepOf(history, "balance"),
        id: 99,
        act: { kind: "find transfer", reference: "r1" },
        outcome: ok({ data: [] }),
      });
    },
    finding: /^no order explains find transfer 99 .* no transfer r1/,
  },
  {
    what: "leaves the newest out of a list",
    spoil: (history) => void bodyOf(history, "list").data.shift(),
    finding: /^no order explains list transfers/,
  },
  {
    what: "lets a status go back",
    spoil(history) {
      const read = stepOf(history, "readTransfer");
      history.operations.push({
        ...read,
        id: 99,
        begunMs: 56,
        endedMs: 57,
        outcome: ok({ id: "txn_1", status: "pending" }),
      });
    },
    finding: /^txn_1 was completed and went back to pending/,
  },
  {
    what: "turns failed into completed",
    spoil: (history) => (bodyOf(history, "readTransfer").status = "failed"),
    finding: /^txn_1 was failed and is completed/,
  },
  {
    what: "shows a refunded charge as due",
    spoil(history) {
      bodyOf(history, "readCharge").status = "due";
      bodyOf(history, "readCharge").transactions = [];
    },
    finding: /^no order explains read charge/,
  },
  {
    what: "leaves a transfer pending",
    spoil(history) {
      const transfer = booksOf(history).transfers[1];
      if (transfer !== undefined) transfer.status = "pending";
    },
    finding: /^transfer r2 is still pending/,
  },
];

test("a history that one order explains passes", () => {
  const { findings, counts } = checkHistory(goodHistory());

  expect(findings).toEqual([]);
  expect(counts).toMatchObject({ operations: 15, ok: 12, refused: 2, unknown: 1 });
});

test.for(spoilt)("a history is refused in which the service $what", (one) => expectFound(one));
