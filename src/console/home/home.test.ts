import { expect, onTestFinished } from "vitest";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import {
  makeCompany,
  makeCustomer,
  startService,
  test,
  untilSettled,
} from "../../../test/fixtures.ts";
import { textOf } from "../../../test/pay-page.ts";
import { send } from "../../../test/receiver.ts";
import { toPublicId } from "../../kernel/ids.ts";

const known = "2250700000000";
const stranger = "2250733333333";

test("200: the first page has the balance, today's money, what failed, and charts with their numbers", async ({
  db,
  service,
  company,
}) => {
  await makeCustomer(db.database, known);
  await send(service, company, "one", { msisdn: known, amount: 25_000 });
  await send(service, company, "two", { msisdn: stranger, amount: 6_000 });
  await untilSettled(db.database);
  const client = new ConsoleClient(service, await signIn(db, company.id, "reader"));

  const page = await client.get("/console");

  expect(page.status).toBe(200);
  const text = textOf(page.text);
  expect(text).toContain("975 000 F CFA");
  expect(text).toContain("Envoyé aujourd’hui 25 000 F CFA 1 virement, et 1 échec rendu");
  expect(text).toContain("1 virement échoué ces 7 derniers jours");
  expect(text).toContain("50 % de 2 virements sur la période.");
  expect(page.text.match(/<svg role="img"/g)).toHaveLength(3);
  expect(page.text).not.toMatch(/\sstyle=|<script/);

  const english = textOf((await client.get("/console?days=90&lang=en")).text);
  expect(english).toContain("XOF 975,000");
  expect(english).toContain("1 failed transfer in the last 7 days");
  const csv = await client.get("/console/charts/volume.csv?days=7");
  expect(csv.text.trim().split("\r\n")).toHaveLength(8);
  expect(csv.text).toMatch(/,0,25000\r\n$/);
});

test("a new company is shown what it can do first", async ({ db, service }) => {
  const { id } = await makeCompany(db.database, { fund: 0 });
  const client = new ConsoleClient(service, await signIn(db, id, "preparer"));
  const { text } = await client.get("/console");
  expect(textOf(text)).toContain("Bienvenue. Votre compte est prêt.");
  // Nothing can be sent from an empty balance: how to fund it is said instead.
  expect(textOf(text)).toContain("Votre solde est vide. Pour envoyer, approvisionnez-le");
  expect(text).toContain(toPublicId("com", id));
  expect(text).toContain('href="/console/collections/new"');
  expect(text).not.toContain('href="/console/transfers/new"');
});

test("whoever may not see the balance is led to what they may see, and gets no figures", async ({
  db,
  service,
  company,
}) => {
  const client = new ConsoleClient(service, await signIn(db, company.id, "developer"));
  expect(await client.get("/console")).toMatchObject({ status: 303 });
  expect((await client.get("/console/charts/balance.csv")).status).toBe(403);
  const nobody = new ConsoleClient(service, undefined);
  expect((await nobody.get("/console/charts/balance.csv")).status).toBe(303);
});

test("what waits for its turn is shown, and a batch with how far it is", async ({ db }) => {
  const service = await startService(db, { ROLES: "api" });
  onTestFinished(() => service.stop());
  const company = await makeCompany(db.database);
  const transactions = [1, 2, 3].map((n) => ({
    type: "transfer",
    reference: `r${n}`,
    msisdn: known,
    amount: 5_000,
  }));
  await service.call("POST", "/v1/transactions/batch", {
    token: company.accessToken,
    body: { transactions },
  });
  const client = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  const text = textOf((await client.get("/console")).text);
  expect(text).toContain("En cours d’envoi 15 000 F CFA 3 virements");
  expect(text).toContain("0 terminé sur 3");
});
