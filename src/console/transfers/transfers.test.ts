import { expect, onTestFinished } from "vitest";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import {
  auditDifferences,
  makeCompany,
  makeCustomer,
  startService,
  test,
  untilSettled,
} from "../../../test/fixtures.ts";
import { hiddenFieldsOf } from "../../../test/hidden-fields.ts";
import { textOf } from "../../../test/pay-page.ts";
import { send, startReceiver, subscribe } from "../../../test/receiver.ts";
import { setAloneMax } from "../../approvals/rules.ts";
import { sql } from "../../database/sql.ts";
import { operator } from "../../trail/actor.ts";

const known = "2250700000000";
const stranger = "2250733333333";

test("200: the list filters, sums, exports exactly that, and finds by whatever names a transfer", async ({
  db,
  service,
  company,
}) => {
  await makeCustomer(db.database, known);
  const one = await send(service, company, "salaire-1", { msisdn: known, amount: 25_000 });
  await send(service, company, "=1+1", { msisdn: stranger, amount: 6_000 });
  await untilSettled(db.database);
  const client = new ConsoleClient(service, await signIn(db, company.id, "reader"));

  const all = await client.get("/console/transfers");
  expect(all.status).toBe(200);
  expect(textOf(all.text)).toContain("2 virements");
  expect(textOf(all.text)).toContain("31 000 F CFA");
  expect(all.text).not.toContain("/console/transfers/new");

  const failed = await client.get("/console/transfers?status=failed&min=5000&limit=50");
  expect(textOf(failed.text)).toContain("1 virement ");
  expect(failed.text).toContain("Ce numéro n’a pas de compte");
  expect(failed.text).not.toContain("salaire-1");
  const csv = await client.get("/console/transfers.csv?status=failed&dialect=machine");
  expect(csv.text.split("\r\n")).toHaveLength(3);
  expect(csv.text).toContain(",'=1+1,");
  const excel = await client.get("/console/transfers.csv");
  expect(excel.text.startsWith("\ufeffIdentifiant;Date")).toBe(true);

  const path = `/console/transfers/${one.id}`;
  for (const text of [one.id, "salaire-1", one.serviceTransactionReference])
    expect(await client.get(`/console/transfers?q=${text}`)).toMatchObject({
      status: 303,
      location: path,
    });
  expect(await client.get(`/console/transfers?q=%2B${stranger}`)).toMatchObject({
    location: `/console/transfers?phone=${stranger}`,
  });
  expect(textOf((await client.get("/console/transfers?q=nobody%00")).text)).toContain(
    "Aucun virement",
  );
  const wrong = await client.get("/console/transfers?from=2026-02-31");
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain("Écrivez un jour qui existe");
});

test("200: a transfer shows when it was accepted, how it ended, who was told, and what to do next", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url, ["transactions/failed"]);
  const made = await send(service, company, "gone", { msisdn: stranger, amount: 6_000 });
  await untilSettled(db.database);
  const preparer = new ConsoleClient(service, await signIn(db, company.id, "preparer"));
  const path = `/console/transfers/${made.id}`;
  await expect
    .poll(async () => textOf((await preparer.get(path)).text))
    .toContain(`Notifié à ${receiver.url}`);
  const page = await preparer.get(path);
  expect(textOf(page.text)).toContain("Accepté, argent réservé");
  expect(textOf(page.text)).toContain("Échoué, argent revenu sur votre solde");
  expect(page.text).toContain(`/console/transfers/new?redo=${made.id}`);

  const redo = await preparer.get(`/console/transfers/new?redo=${made.id}`);
  expect(redo.text).toContain(`value="${stranger}"`);
  expect(redo.text).toContain('value="6000"');
  expect(redo.text).not.toContain('value="gone"');

  const other = await makeCompany(db.database);
  const stranger2 = new ConsoleClient(service, await signIn(db, other.id, "owner"));
  for (const foreign of [path, `/console/transfers/new?redo=${made.id}`]) {
    const [theirs, unknown] = [
      await stranger2.get(foreign),
      await stranger2.get(foreign.replace(/[0-9a-f]{32}/, "0".repeat(32))),
    ];
    expect([theirs.status, unknown.status]).toEqual([404, 404]);
  }
  expect(textOf((await stranger2.get("/console/transfers?q=gone")).text)).toContain(
    "Aucun virement",
  );
});

test("a transfer is reviewed in words, and sent once however often the form is", async ({
  db,
  service,
  company,
}) => {
  await makeCustomer(db.database, known);
  await setAloneMax(db.database, company.id, 100_000, operator("a test"));
  const client = new ConsoleClient(service, await signIn(db, company.id, "preparer"));
  const form = await client.get("/console/transfers/new");
  const [, reference = ""] =
    /id="reference"[^>]*value="([^"]+)"|value="(V-[^"]+)"/.exec(form.text) ?? [];
  const typed = {
    phone: `+${known}`,
    amount: "25 000",
    reference: reference || "r-1",
    description: "",
    subCompany: "",
  };

  const bad = await client.post("/console/transfers/new/review", {
    ...typed,
    amount: "25.000",
    phone: "",
  });
  expect(bad.status).toBe(422);
  expect(textOf(bad.text)).toContain("peut se lire de deux façons");
  expect(textOf(bad.text)).toContain("Écrivez le numéro du bénéficiaire.");

  const review = await client.post("/console/transfers/new/review", typed);
  expect(review.status).toBe(200);
  expect(textOf(review.text)).toContain("vingt-cinq mille francs CFA");
  expect(textOf(review.text)).toContain("Compte au nom de Awa Diop");
  expect(textOf(review.text)).toContain("Ce virement part dès votre confirmation.");
  const fields = hiddenFieldsOf(review.text);

  const answers = await Promise.all(
    Array.from({ length: 6 }, () => client.post("/console/transfers/new", fields)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
  const again = await client.post("/console/transfers/new", fields);
  expect(again.location).toMatch(/^\/console\/transfers\/txn_/);
  expect(await db.database.query(sql`select 1 from transfers`)).toHaveLength(1);
  const used = await client.post("/console/transfers/new/review", typed);
  expect(textOf(used.text)).toContain("Un virement porte déjà cette référence.");
  await untilSettled(db.database);
  expect(textOf((await client.get(again.location)).text)).toContain("Préparé par person-");
  expect(await auditDifferences(db.database)).toEqual([]);

  // 25 000 of today's 100 000 are gone: 75 000 are left, and a franc more is not.
  const rest = { ...typed, amount: "75000", reference: "rest" };
  expect(textOf((await client.post("/console/transfers/new/review", rest)).text)).toContain(
    "Ce virement part dès votre confirmation.",
  );
  const large = { ...typed, amount: "75001", reference: "large" };
  const second = await client.post("/console/transfers/new/review", large);
  expect(textOf(second.text)).toContain("Ce virement attendra l’approbation d’une autre personne.");
  const asked = await client.post("/console/transfers/new", hiddenFieldsOf(second.text));
  expect(asked.location).toMatch(/^\/console\/approvals\/prop_/);
  expect(await db.database.query(sql`select 1 from transfers`)).toHaveLength(1);
});

test("200: while somebody types, it is said who has the number, until the minute's checks are spent", async ({
  db,
  company,
}) => {
  await makeCustomer(db.database, known);
  const service = await startService(db, { CUSTOMER_CHECKS_PER_MINUTE: "3" });
  onTestFinished(() => service.stop());
  const client = new ConsoleClient(service, await signIn(db, company.id, "preparer"));
  const page = await client.get("/console/transfers/new");
  expect(page.headers["content-security-policy"]).toContain("connect-src 'self'");
  const ask = async (phone: string, amount = "") => {
    const answer = await client.post("/console/transfers/new/recipient", { phone, amount });
    expect(answer.status).toBe(200);
    return (JSON.parse(answer.text) as { kind: string; text: string }[]).map(
      ({ kind, text }) => `${kind} ${text}`,
    );
  };

  expect(await ask(`+${known}`)).toEqual([
    expect.stringMatching(/^good Compte au nom de .*, identité vérifiée\.$/),
  ]);
  expect(await ask(`+${stranger}`, "5000")).toEqual([
    expect.stringMatching(/^bad Aucun compte n’existe/),
  ]);
  expect(await ask("12 34")).toEqual([expect.stringMatching(/^bad /)]);
  await ask(`+${known}`);
  expect(await ask(`+${known}`)).toEqual([]);
});

test("403: whoever may only read sends nothing", async ({ db, service, company }) => {
  for (const role of ["reader", "approver", "developer"] as const) {
    const client = new ConsoleClient(service, await signIn(db, company.id, role));
    expect((await client.get("/console/transfers/new")).status).toBe(403);
    for (const path of ["/console/transfers/new", "/console/transfers/new/review"])
      expect(
        (await client.post(path, { phone: known, amount: "6000", reference: "r" })).status,
      ).toBe(403);
  }
  const preparer = new ConsoleClient(service, await signIn(db, company.id, "preparer"));
  expect((await preparer.post("/console/transfers/new", { token: "stale" })).status).toBe(403);
  expect(await db.database.query(sql`select 1 from proposals`)).toEqual([]);
});
