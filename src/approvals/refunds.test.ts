import { expect } from "vitest";
import { deskOf, enrol, member, somebody, trusted } from "../../test/desk.ts";
import { auditDifferences, type TestService, test } from "../../test/fixtures.ts";
import { ChargeNotRefundable, RefundExceedsPaid } from "../charges/errors.ts";
import { getCharge } from "../charges/find-charges.ts";
import { sql } from "../database/sql.ts";
import { approve } from "./decide.ts";
import type { Proposal } from "./proposal.ts";
import { propose } from "./propose.ts";

const maker = somebody();

test("a refund waits for another person too, gives back what was reviewed, and is made once", async ({
  db,
  company,
  service,
}) => {
  await enrol(db.database, company.id, [maker]);
  const checker = await member(db.database, company.id);
  const desk = deskOf(db.database);
  const chargeId = await paidCharge(service, company.accessToken);
  const ask = (amount: number | undefined) =>
    propose(desk, {
      companyId: company.id,
      by: maker,
      title: "Commande 7",
      asked: { kind: "refund", chargeId, amount },
    });
  const [part, whole] = [await ask(2_000), await ask(undefined)];
  expect([part, whole]).toMatchObject([
    { state: "waiting", totalAmount: 2_000 },
    { state: "waiting", totalAmount: 10_000 },
  ]);

  const decisions = Array.from({ length: 8 }, () => approve(desk, decisionOn(part)));
  const results = await Promise.allSettled(decisions);

  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await getCharge(desk.payments, company.id, chargeId)).toMatchObject({ refunded: 2_000 });
  // What is left is less than what was reviewed, so it is not given back under that approval.
  expect(await approve(desk, decisionOn(whole))).toMatchObject({
    state: "lapsed",
    problem: "refund_not_possible",
  });
  await expect(ask(8_001)).rejects.toThrow(RefundExceedsPaid);
  expect(await auditDifferences(db.database)).toEqual([]);
  const entries = await db.database.query<{ action: string }>(sql`
    select action from company_trail where person_id is not null order by id`);
  expect(entries.map(({ action }) => action)).toEqual([
    "proposal.made",
    "proposal.made",
    "proposal.approved",
    "charge.refunded",
    "proposal.approved",
  ]);

  function decisionOn({ id, hash }: Proposal) {
    const decision = { companyId: company.id, proposalId: id, reviewedHash: hash };
    return { ...decision, by: checker, checkPerson: trusted };
  }
});

test("a charge that nobody has paid cannot be asked back", async ({ db, company, service }) => {
  const { body } = await service.call("POST", "/v1/charges", {
    token: company.accessToken,
    body: charge("unpaid"),
  });

  await enrol(db.database, company.id, [maker]);
  await expect(
    propose(deskOf(db.database), {
      companyId: company.id,
      by: maker,
      title: "Commande",
      asked: { kind: "refund", chargeId: body.id, amount: undefined },
    }),
  ).rejects.toThrow(ChargeNotRefundable);
});

async function paidCharge(service: TestService, token: string): Promise<string> {
  const { body } = await service.call("POST", "/v1/charges", { token, body: charge("paid") });
  const paid = await service.call("POST", `/v1/charges/${body.id}/pay`, {
    token,
    body: { recipientMsisdn: "+2250700000000" },
  });
  expect(paid.body).toMatchObject({ status: "paid" });
  return body.id;
}

function charge(externalId: string) {
  return {
    amount: 10_000,
    externalId,
    description: "Commande",
    onCanceledRedirectionUrl: "https://shop.example/no",
    onCompletedRedirectionUrl: "https://shop.example/yes",
  };
}
