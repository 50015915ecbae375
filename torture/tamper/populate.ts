import { setTimeout as sleep } from "node:timers/promises";
import { auditChecks } from "../../src/audit-checks.ts";
import { changeCompany } from "../../src/companies/change-company.ts";
import { createKey, replaceKey, revokeKey, rotateKey } from "../../src/companies/credentials.ts";
import { freezeCompany, unfreezeCompany } from "../../src/companies/freeze-company.ts";
import { fundCompany } from "../../src/companies/fund-company.ts";
import { adjustBooks, withdrawFromCompany } from "../../src/companies/move-money.ts";
import { addCustomer, setCustomer, setWalletFrozen } from "../../src/customers/keep-book.ts";
import { sql } from "../../src/database/sql.ts";
import { audit } from "../../src/ledger/audit.ts";
import { recordAudit } from "../../src/ledger/record-audit.ts";
import { operator } from "../../src/trail/actor.ts";
import { disableWebhook } from "../../src/webhooks/manage-webhooks.ts";
import { makeBelongings, untilSettled } from "../api/belongings.ts";
import { failingMsisdn } from "../api/blueprint.ts";
import { demand } from "../api/client.ts";
import { makePeople } from "./people.ts";
import type { Town, TownCompany } from "./town.ts";

const hourMs = 3_600_000;
const by = operator("torture tamper");
/** The sums of statements are kept for each thousand postings. */
const batchRows = 360;

/** Everything that the service keeps, in each of its states, made by the service over two days that are sealed. */
export async function populate(town: Town): Promise<void> {
  await populateSecondDay(town, await populateFirstDay(town));
}

/** The companies that the second day is about. */
export type TownCompanies = readonly [TownCompany, TownCompany];

/** Up to the first seals. */
export async function populateFirstDay(town: Town): Promise<TownCompanies> {
  const { url, sink, clock } = town;
  const [one, two] = [await town.makeCompany("Alpha"), await town.makeCompany("Beta")];
  await keepCustomers(town);
  await makeBelongings(url, one.token, "alpha", sink);
  await makeBelongings(url, two.token, "beta", sink);
  await moveMoney(town, one);
  await sendBatch(town, one);
  await untilQuiet(town);
  await clock.moveTo(new Date(Date.now() + 24 * hourMs));
  await town.keepBooks();
  return [one, two];
}

/** With what the first one left. */
export async function populateSecondDay(town: Town, [one, two]: TownCompanies): Promise<void> {
  const { url, database, clock } = town;
  await changeKeys(town, one);
  await freezeOne(town, two);
  await changePrice(town, one);
  const again = { type: "transfer", amount: 7_000, msisdn: "2250700000000" };
  for (const { token } of [one, two])
    await demand(url, "POST", "/v1/transactions", {
      token,
      body: { ...again, reference: "again" },
    });
  await makePeople(town, one);
  await untilQuiet(town);
  await clock.moveTo(new Date(Date.now() + 25 * hourMs));
  await sendOverTheRule(town, one);
  await untilQuiet(town);
  await town.keepBooks();
  await makeDue(town, one);
  await disableWebhook(database, two.id, undefined, by).catch(() => undefined);
  await recordAudit(database, new Date(), await audit(database, auditChecks), {
    operator: "somebody",
    isFull: true,
  });
  await untilQuiet(town);
  await town.keepBooks();
}

/** By a key: what is more than may go alone, and what is not. */
async function sendOverTheRule({ url }: Town, { token }: TownCompany): Promise<void> {
  const transfer = { type: "transfer", msisdn: "2250700000000" };
  for (const [reference, amount] of [
    ["alone 1", 5_000],
    ["alone 2", 9_000],
  ] as const) {
    const body = { ...transfer, reference, amount };
    await demand(url, "POST", "/v1/transactions", { token, body });
  }
}

async function keepCustomers({ database }: Town): Promise<void> {
  const people = ["2250711111111", "2250722222222", "2250733333334", "2250744444444"];
  for (const msisdn of people)
    await addCustomer(database, {
      msisdn,
      firstName: "Awa",
      lastName: "Diop",
      kycStatus: "complete",
      balanceMax: null,
    });
  const [changed = "", frozen = "", opened = ""] = people;
  await setCustomer(database, changed, { kycStatus: "pending", balanceMax: 300_000 }, by);
  await setWalletFrozen(database, frozen, true, by);
  await setWalletFrozen(database, opened, true, by);
  await setWalletFrozen(database, opened, false, by);
}

async function moveMoney({ url, database }: Town, { id, token }: TownCompany): Promise<void> {
  const companyId = id;
  const now = new Date();
  await fundCompany(database, now, { companyId, amount: 70_000, reference: "bank 1", memo: "x" });
  const withdrawal = { companyId, amount: 5_000, reference: "out 1", memo: "rent" };
  await withdrawFromCompany(database, now, withdrawal);
  const adjustment = { companyId, from: "available", to: "fees", amount: 700 } as const;
  await adjustBooks(database, now, { ...adjustment, reference: "case 1", reason: "mistake" });
  const person = { type: "transfer", amount: 6_000, msisdn: "2250711111111", reference: "person" };
  await demand(url, "POST", "/v1/transactions", { token, body: person });
  await makeCharge({ url }, token, "attempted", failingMsisdn);
  await demand(
    url,
    "POST",
    `/v1/charges/${await makeCharge({ url }, token, "keyed", undefined)}/pay`,
    {
      token,
      body: { recipientMsisdn: "2250700000000" },
      headers: { "idempotency-key": "a payment" },
    },
  );
  await makeCharge({ url }, token, "expiring", undefined);
}

async function makeCharge(
  { url }: Pick<Town, "url">,
  token: string,
  externalId: string,
  payer: string | undefined,
): Promise<string> {
  const { body } = await demand(url, "POST", "/v1/charges", {
    token,
    body: {
      amount: 5_000,
      externalId,
      description: "Order",
      onCanceledRedirectionUrl: "http://127.0.0.1:9/cart",
      onCompletedRedirectionUrl: "http://127.0.0.1:9/thanks",
    },
  });
  if (payer !== undefined)
    await demand(url, "POST", `/v1/charges/${body.id}/pay`, {
      token,
      body: { recipientMsisdn: payer },
    });
  return body.id as string;
}

async function sendBatch({ url }: Town, { token }: TownCompany): Promise<void> {
  const transactions = Array.from({ length: batchRows }, (_, row) => ({
    type: "transfer",
    amount: 5_000 + row,
    msisdn: "2250700000000",
    reference: `many-${row}`,
  }));
  await demand(url, "POST", "/v1/transactions/batch", { token, body: { transactions } });
  await untilSettled(url, token);
}

async function changeKeys(town: Town, { id: companyId }: TownCompany): Promise<void> {
  const { database, signals, box } = town;
  const now = new Date();
  const make = (name: string) =>
    createKey(database, signals, box, now, { companyId, name }, by, 1_000);
  const [kept, revoked, replaced] = [await make("kept"), await make("revoked"), await make("old")];
  await revokeKey(database, signals, revoked.keyId, by);
  const endsAt = new Date(now.getTime() + 24 * hourMs);
  const request = { companyId, keyId: replaced.keyId, endsAt };
  await replaceKey(database, signals, box, now, request, by, 1_000);
  await rotateKey(database, signals, box, now, { companyId, overlapSeconds: 400_000 }, by);
  await revokeKey(database, signals, kept.keyId, by);
}

async function freezeOne(town: Town, { id }: TownCompany) {
  const { database, signals } = town;
  await freezeCompany(database, signals, id, by, "looked at");
  await unfreezeCompany(database, signals, id, by);
  const frozen = await town.makeCompany("Gamma");
  await freezeCompany(database, signals, frozen.id, by, "stays so");
}

async function changePrice({ database }: Town, { id }: TownCompany): Promise<void> {
  const transferFee = { ratePpm: 20_000, flat: 25, min: 0, max: 5_000 };
  await changeCompany(database, id, { price: { transferFee } });
  await changeCompany(database, id, { name: "Alpha Sarl", country: "SN" });
}

/** Charges that are due: one that nobody tried to pay, one that was attempted, one whose payer is at its page; and one that was canceled. */
async function makeDue({ url }: Town, { token }: TownCompany): Promise<void> {
  await makeCharge({ url }, token, "due", undefined);
  await makeCharge({ url }, token, "due and attempted", failingMsisdn);
  const canceled = await makeCharge({ url }, token, "canceled", undefined);
  const { body } = await demand(url, "GET", `/v1/charges/${canceled}`, { token });
  const { pathname } = new URL(String(body.paymentUrl));
  const origin = { origin: url };
  await fetch(`${url}${pathname}/cancel`, { method: "POST", headers: origin, redirect: "manual" });
  const due = await demand(url, "GET", "/v1/charges?status=due&limit=1", { token });
  const page = new URL(String(due.body.data[0].paymentUrl)).pathname;
  const phone = new URLSearchParams({ phone: "+2250711111111" });
  await fetch(`${url}${page}/code`, { method: "POST", body: phone, headers: origin });
}

/** Until nothing is on its way any more that would change under somebody's hands. */
async function untilQuiet({ database }: Town): Promise<void> {
  for (let looks = 0; looks < 600; looks += 1) {
    const [row] = await database.query<{ open: number }>(sql`
      select (select count(*) from pending_transfers) + (select count(*) from deliveries where status in ('pending', 'blocked'))
        + (select count(*) from claims) as open`);
    if (row?.open === 0) return;
    await sleep(50);
  }
}
