import { expect, test } from "vitest";
import { AddressBook } from "./suggest-address.ts";

const book = new AddressBook([
  "/v1/transactions",
  "/v1/transactions/:id",
  "/v1/transactions/batch",
  "/v1/transactions/customers/check",
  "/v1/charges",
  "/v1/charges/:id/refund",
  "/v1/sub-companies",
  "/v1/webhooks/:id/deliveries/:deliveryId/redeliver",
  "/v1/balance",
  "/v1/*",
  "/console/team",
]);

test.for([
  ["/v1/transaction", "/v1/transactions"],
  ["/v1/v1/transactions", "/v1/transactions"],
  ["/transactions", "/v1/transactions"],
  ["/V1/Transactions", "/v1/transactions"],
  ["/api/v1/balance", "/v1/balance"],
  ["/v1//balance", "/v1/balance"],
  ["/v1/transactions/bacth", "/v1/transactions/batch"],
  ["/v1/transaction/txn_1", "/v1/transactions/{id}"],
  ["/v1/charges/x/refunds", "/v1/charges/{id}/refund"],
  ["/v1/subcompanies", "/v1/sub-companies"],
  ["/v1/sub_companies", "/v1/sub-companies"],
] as const)("%s is probably %s", ([written, meant]) => {
  expect(book.suggest(written)).toBe(meant);
});

test.for([
  "/v1/payments",
  "/",
  "/v1",
  "/favicon.ico",
  "/console/taem",
  `/v1/${"a/".repeat(5_000)}`,
])("%s is near to none", (written) => {
  expect(book.suggest(written)).toBeUndefined();
});
