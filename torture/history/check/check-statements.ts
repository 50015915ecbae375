import type { StatementState } from "../final-state.ts";
import type { Operation } from "../operation.ts";
import type { CompanyIndex } from "./company-index.ts";

interface Line {
  readonly number: number;
  readonly amount: number;
  readonly balanceAfter: number;
}

/** Statement, balance and export say the same, at every node; and what a statement showed once it shows for ever. */
export function checkStatements(index: CompanyIndex, operations: readonly Operation[]): string[] {
  const { balances, statements, books, postings } = index.state;
  const expected = postings.filter(({ availableAfter }) => availableAfter !== null);
  return [
    ...balances
      .filter((balance) => balance !== books.available)
      .map((balance) => `a node says a balance of ${balance}, the books ${books.available}`),
    ...statements.flatMap((statement) => [
      ...(statement.closing === books.available
        ? []
        : [`the statement (${statement.source}) closes at ${statement.closing}`]),
      ...(statement.lines.length === expected.length
        ? []
        : [
            `the statement (${statement.source}) has ${statement.lines.length} lines of ${expected.length}`,
          ]),
      ...checkSum(statement),
      ...checkLines(index, statement.source, statement.lines),
    ]),
    ...operations.flatMap(({ id, act, outcome }) => {
      if (act.kind !== "read statement" || outcome.kind !== "ok") return [];
      const { openingBalance, closingBalance, totals, data } = outcome.body;
      const sum = totals.reduce((all: number, { amount }: Line) => all + amount, openingBalance);
      return [
        ...(sum === closingBalance
          ? []
          : [`statement ${id} sums to ${sum} and closes at ${closingBalance}`]),
        ...checkLines(index, `read ${id}`, data),
      ];
    }),
  ];
}

function checkSum({ source, opening, closing, lines }: StatementState): string[] {
  const findings: string[] = [];
  let balance = opening;
  for (const { number, amount, balanceAfter } of lines) {
    balance += amount;
    if (balance !== balanceAfter) {
      findings.push(
        `the statement (${source}) does not add up at ${number}: ${balance}, ${balanceAfter}`,
      );
      balance = balanceAfter;
    }
  }
  if (balance !== closing)
    findings.push(`the statement (${source}) adds up to ${balance} and closes at ${closing}`);
  return findings;
}

function checkLines(index: CompanyIndex, source: string, lines: readonly Line[]): string[] {
  return lines.flatMap(({ number, amount, balanceAfter }) => {
    const posting = index.state.postings[number - 1];
    if (posting === undefined || posting.availableAfter === null)
      return [`the statement (${source}) has line ${number}, which is not in the books`];
    const isSame = Math.abs(amount) === posting.amount && balanceAfter === posting.availableAfter;
    return isSame
      ? []
      : [
          `line ${number} of the statement (${source}) is ${amount} to ${balanceAfter}, in the books ${posting.amount} to ${posting.availableAfter}`,
        ];
  });
}
