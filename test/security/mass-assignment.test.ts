import { expect } from "vitest";
import { makeBelongings, openSink } from "../../torture/api/belongings.ts";
import { exampleBody, kindOfParameter, toAddress } from "../../torture/api/blueprint.ts";
import { fetchDocument, type Operation, readOperations } from "../../torture/api/document.ts";
import { auditDifferences, test, untilSettled } from "../fixtures.ts";
import { storedRows } from "./stored-rows.ts";

/** Recognisable wherever it would come out again. */
const word = "assigned0by0the0caller";
const number = 987_654_321;
const moment = "2001-02-03T04:05:06.789Z";
const marks = [word, String(number), moment, "2001-02-03"];

/** What a caller would like to decide, under every name it has in the API or might have inside. */
const wishes: Readonly<Record<string, unknown>> = {
  id: `txn_${word}`,
  companyId: word,
  company_id: word,
  businessId: word,
  batchId: `bat_${word}`,
  webhookId: word,
  status: word,
  fee: number,
  fees: { currency: word, rate: number, value: number },
  feeRatePpm: number,
  totalAmount: number,
  totalFee: number,
  paid: number,
  refunded: number,
  due: number,
  balance: number,
  attempts: number,
  count: number,
  completedCount: number,
  isActive: word,
  is_active: false,
  createdAt: moment,
  created_at: moment,
  updatedAt: moment,
  expiresAt: moment,
  disabledAt: moment,
  disabledReason: word,
  failureReason: word,
  droppedReason: word,
  serviceTransactionReference: word,
  providerTransactionReference: word,
  paymentUrl: `https://${word}.example`,
  webRedirectionUrl: `https://${word}.example`,
  transactions: word,
  secretKey: word,
  testMsisdn: word,
};

/** Where a field that is not known is more likely a slip that costs money than something to be ignored. */
const refusesUnknownFields: ReadonlySet<string> = new Set(["refundCharge"]);

test("what a caller may not decide is not taken from any body, in any row", async ({
  db,
  service,
  company,
}) => {
  const { accessToken: token } = company;
  const sink = await openSink();
  const belongings = await makeBelongings(service.url, token, "before", sink);
  const operations = readOperations(await fetchDocument(service.url)).filter(
    ({ body, method }) => body !== undefined && method !== "GET",
  );
  expect(operations.length).toBeGreaterThanOrEqual(7);

  for (const operation of operations) {
    for (const path of addressesOf(operation, belongings)) {
      const body = wishing(operation, exampleBody(operation, `wish-${path}`));
      const answer = await service.call(operation.method, path, { token, body });
      if (refusesUnknownFields.has(operation.id)) {
        expect([answer.status, answer.body.code], operation.id).toEqual([400, "invalid_request"]);
        continue;
      }
      expect(answer.status, `${operation.id} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
      expectNoWish(answer.body, operation.id);

      const read = answer.body.id === undefined ? path : `${path}/${answer.body.id}`;
      const again = await service.call("GET", read.replace("/transactions/batch/", "/batches/"), {
        token,
      });
      if (operation.path.split("/").length === 3) expect(again.status, read).toBe(200);
      expectNoWish(again.body, `${operation.id}, read again`);
    }
  }

  await untilSettled(db.database);
  for (const list of ["transactions", "batches", "charges", "sub-companies", "webhooks"])
    expectNoWish((await service.call("GET", `/v1/${list}?limit=100`, { token })).body, list);
  const rows = await storedRows(db.database);
  expect(rows.filter((row) => marks.some((mark) => row.includes(mark)))).toEqual([]);
  expect(await auditDifferences(db.database)).toEqual([]);
  await sink.close();
});

/** One good address; for a charge each state has its own. */
function addressesOf(
  operation: Operation,
  belongings: Record<string, readonly string[]>,
): string[] {
  const names = operation.parameters.filter((one) => one.in === "path").map(({ name }) => name);
  const wanted: Readonly<Record<string, number>> = { payCharge: 0, refundCharge: 1 };
  const path = Object.fromEntries(
    names.map((name) => [
      name,
      belongings[kindOfParameter(operation, name)]?.[wanted[operation.id] ?? 0] ?? "",
    ]),
  );
  return [toAddress({ operation, path })];
}

/** The wishes that are no fields of the operation itself, at the root and in every row. */
function wishing(operation: Operation, body: unknown): unknown {
  const own = Object.keys(operation.body?.properties ?? {});
  const rows = operation.body?.properties?.["transactions"]?.items?.properties ?? {};
  const others = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(wishes).filter(([name]) => !names.includes(name)));
  const { transactions, ...rest } = body as { transactions?: readonly object[] };
  return {
    ...others(own),
    ...rest,
    ...(transactions === undefined
      ? {}
      : { transactions: transactions.map((row) => ({ ...others(Object.keys(rows)), ...row })) }),
  };
}

function expectNoWish(body: unknown, where: string): void {
  const text = JSON.stringify(body);
  expect(
    marks.filter((mark) => text.includes(mark)),
    where,
  ).toEqual([]);
}
