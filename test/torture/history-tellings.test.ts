import { test } from "vitest";
import { bodyOf, booksOf, company, expectFound, ok, type Spoilt, stepOf } from "./good-history.ts";

const spoilt: readonly Spoilt[] = [
  {
    what: "tells an older event of an object after a newer one",
    spoil({ told }) {
      const [first, second] = told;
      if (first !== undefined && second !== undefined) told.splice(0, 2, second, first);
    },
    finding: /^event 1 \(transactions\/started\) came after a later one/,
  },
  {
    what: "does not tell of an event",
    spoil: ({ told }) => void told.pop(),
    finding: /^event 6 \(transactions\/failed\) was never told/,
  },
  {
    what: "tells of what never happened",
    spoil: ({ told }) => void told.push({ company, atMs: 999, message: "invented", digest: "" }),
    finding: /^the notification invented tells of nothing that happened/,
  },
  {
    what: "tells something else than what happened",
    spoil({ told }) {
      const [first] = told;
      if (first !== undefined) first.digest = "other";
    },
    finding: /^the notification m1 has other bytes/,
  },
  {
    what: "writes the end of a transfer down before its start",
    spoil(history) {
      const { events } = booksOf(history);
      const [first, second] = events;
      if (first === undefined || second === undefined) return;
      [first.topic, second.topic] = [second.topic, first.topic];
    },
    finding:
      /^the events of transfer r1, which is completed, are transactions\/completed, transactions\/started/,
  },
  {
    what: "leaves a gap among the events that are asked for",
    spoil: (history) => (bodyOf(history, "events").data[0].sequence = 3),
    finding: /^pull 14 after 1 has transactions\/completed as 3/,
  },
  {
    what: "changes a line of a statement",
    spoil: (history) => (bodyOf(history, "statement").data[1].amount = -4_000),
    finding: /^line 2 of the statement \(read 13\) is -4000/,
  },
  {
    what: "closes a statement at something else than its lines come to",
    spoil: (history) => (bodyOf(history, "statement").totals[0].amount = 1),
    finding: /^statement 13 sums to 1 and closes at 102499/,
  },
  {
    what: "says another balance at the other node",
    spoil: (history) => (booksOf(history).balances[1] = 1),
    finding: /^a node says a balance of 1,/,
  },
  {
    what: "exports a statement without one of its lines",
    spoil: (history) => void booksOf(history).statements[0]?.lines.splice(2, 1),
    finding: /^the statement \(pages of one\) has 6 lines of 7/,
  },
  {
    what: "accepts while the company is frozen",
    spoil(history) {
      const { operations } = history;
      const command = { ...stepOf(history, "fund"), outcome: ok("") };
      operations.push(
        { ...command, id: 98, act: { kind: "freeze" }, begunMs: 26, endedMs: 27 },
        { ...command, id: 99, act: { kind: "unfreeze" }, begunMs: 48, endedMs: 49 },
      );
    },
    finding: /was accepted while its company was frozen/,
  },
  {
    what: "has books that do not close",
    spoil: (history) => (booksOf(history).books.fees = 7),
    finding: /^the books of com_a sum to 7/,
  },
  {
    what: "has wallets that hold more than was paid out",
    spoil: ({ state }) => void (state.wallets += 5_000),
    finding: /^wallets hold 3001, -1999 was paid out/,
  },
  {
    what: "has an audit that is not clean",
    spoil: ({ state }) => void state.auditFindings.push("the audit says: no"),
    finding: /^the audit says/,
  },
];

test.for(spoilt)("a history is refused in which the service $what", (one) => expectFound(one));
