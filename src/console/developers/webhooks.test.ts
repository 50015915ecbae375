import { expect } from "vitest";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { makeCompany, test } from "../../../test/fixtures.ts";
import { send, startReceiver, subscribe, untilAttempts } from "../../../test/receiver.ts";
import type { Responder } from "../../../torture/traffic/receiver.ts";
import { sql } from "../../database/sql.ts";
import { setFrozen } from "../../ledger/freeze.ts";
import { readTrail } from "../../trail/read-trail.ts";
import { testsPerMinute } from "../../webhooks/delivery-policy.ts";

const webhooks = "/console/developers/webhooks";
const log = "/console/developers/deliveries";

test("a developer registers an address, tries it, follows what is sent, sends it again, and takes it out of service", async ({
  db,
  service,
  company,
}) => {
  let answer = 200;
  const thank: Responder = (_received, response) => response.writeHead(answer).end("<b>thanks</b>");
  const receiver = await startReceiver(thank);
  receiver.respondToTest = thank;
  const client = new ConsoleClient(service, await signIn(db, company.id, "developer"));
  expect((await client.get(webhooks)).text).toContain("Aucun webhook");

  const made = await client.post(webhooks, { topic: "transactions/completed", url: receiver.url });
  expect(made.status).toBe(303);
  const path = made.location;
  await client.post(`${path}/test`);
  const tried = (await client.get(path)).text;
  expect(tried).toMatch(/L’adresse a répondu 200 en \d+ ms : &lt;b>thanks&lt;\/b>/);
  expect(tried).toContain("Répond");
  expect(receiver.tests.at(-1)?.headers["webhook-signature"]).toMatch(/^v1,/);

  const { id } = await send(service, company, "first");
  await untilAttempts(db.database, 1);
  const list = (await client.get(log)).text;
  const delivery = /href="(\/console\/developers\/webhooks\/[\w-]+\/deliveries\/\d+)"/.exec(list);
  const sentOnce = receiver.received.at(-1);
  const page = (await client.get(delivery?.[1] ?? "")).text;
  expect(page).toContain(String(sentOnce?.headers["webhook-id"]));
  expect(page.replaceAll("&quot;", '"')).toContain(sentOnce?.raw);
  expect(page).toContain(id);
  expect(page).toContain("&lt;b>thanks&lt;/b>");
  expect((await client.get(`${log}?status=failed`)).text).toContain("Aucun envoi");
  expect((await client.get(`${log}?status=delivered&topic=transactions/completed`)).text).toContain(
    delivery?.[1],
  );
  expect((await client.get(`${log}?topic=charge/events`)).text).toContain("Aucun envoi");
  expect((await client.get(`${log}?to=2020-01-01`)).text).toContain("Aucun envoi");
  expect((await client.get(`${log}?from=2020-01-01`)).text).toContain(delivery?.[1]);
  expect((await client.get(`${log}?from=soon`)).status).toBe(422);

  await client.post(`${delivery?.[1]}/resend`);
  await untilAttempts(db.database, 2);
  expect(receiver.received.at(-1)?.headers["webhook-id"]).toBe(sentOnce?.headers["webhook-id"]);

  answer = 500;
  await client.post(`${path}/test`);
  expect((await client.get(path)).text).toContain("L’adresse a répondu 500");

  await client.post(`${path}/disable`);
  expect((await client.get(path)).text).toContain("Désactivé");
  await client.post(`${path}/test`);
  expect((await client.get(path)).text).toContain("Ce webhook est désactivé");
  answer = 200;
  await client.post(`${path}/enable`);
  expect((await client.get(path)).text).not.toContain("Désactivé");
  await client.post(`${path}/delete`);
  expect((await client.get(path)).status).toBe(404);
  const trail = await readTrail(db.database, {
    companyId: company.id,
    since: undefined,
    before: undefined,
    limit: 10,
  });
  expect(trail.map(({ action }) => action).filter((name) => name.startsWith("webhook."))).toEqual([
    "webhook.deleted",
    "webhook.enabled",
    "webhook.disabled",
    "webhook.created",
  ]);
  expect(trail.every(({ by }) => "personId" in by || "operator" in by)).toBe(true);
});

test("a replay of a period shows how far it is, and is done once at a time", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  const ids = await subscribe(service, company, receiver.url, ["transactions/completed"]);
  for (const reference of ["a", "b"]) await send(service, company, reference);
  await untilAttempts(db.database, 2);
  const client = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  const path = `${webhooks}/${ids["completed"]}`;
  const today = new Date().toISOString().slice(0, 10);

  const wrong = await client.post(`${path}/replay`, { since: "2026-02-30", until: today });
  expect([wrong.status, wrong.location]).toEqual([303, path]);
  const started = await client.post(`${path}/replay`, {
    since: "2026-01-01",
    until: today,
    which: "all",
  });
  expect(started.location).toMatch(new RegExp(`^${path}/replays/`));
  await untilAttempts(db.database, 4);
  const done = (await client.get(started.location)).text;
  expect(done).toContain("100 % de la période, 2 envois remis en file");
  expect(done).not.toContain("http-equiv");
  expect((await client.get(path)).text).toContain("2 envois remis en file");
});

test("the pages say what is wrong with an address, and how many test events there are", async ({
  db,
  service,
  company,
}) => {
  const client = new ConsoleClient(service, await signIn(db, company.id, "developer"));
  const wrong = await client.post(webhooks, { topic: "weather", url: "ftp://shop.example" });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain("Choisissez un sujet.");
  expect(wrong.text).toContain("doit commencer par");
  const made = await client.post(webhooks, {
    topic: "charge/events",
    url: "http://127.0.0.1:9/hooks",
  });
  await db.database.query(sql`update endpoints set proved_at = now()`);
  for (let tries = 0; tries < testsPerMinute; tries += 1)
    await client.post(`${made.location}/test`);
  expect((await client.get(made.location)).text).toContain("Aucune réponse");
  await client.post(`${made.location}/test`);
  expect((await client.get(made.location)).text).toContain("événements d’essai par minute");
});

test("another company's webhook, delivery and replay are nobody's; other roles see none; a frozen company changes nothing", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  const ids = await subscribe(service, company, receiver.url, ["transactions/completed"]);
  await send(service, company, "theirs");
  await untilAttempts(db.database, 1);
  const path = `${webhooks}/${ids["completed"]}`;
  const own = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  const today = new Date().toISOString().slice(0, 10);
  const replay = await own.post(`${path}/replay`, { since: today, until: today, which: "all" });
  const [, delivery = ""] = /href="([^"]*\/deliveries\/\d+)"/.exec((await own.get(log)).text) ?? [];
  const other = await makeCompany(db.database, { name: "Other" });
  const stranger = new ConsoleClient(service, await signIn(db, other.id, "owner"));
  for (const page of [path, `${path}/delete`, delivery, replay.location])
    expect((await stranger.get(page)).status, page).toBe(404);
  const forms = ["test", "disable", "enable", "delete", "replay"].map((name) => `${path}/${name}`);
  for (const form of [...forms, `${delivery}/resend`])
    expect((await stranger.post(form, { since: today, until: today })).status, form).toBe(404);
  expect((await stranger.get(`${log}?webhook=${ids["completed"]}`)).status).toBe(422);
  const reader = new ConsoleClient(service, await signIn(db, company.id, "reader"));
  for (const page of [webhooks, path, log, delivery, replay.location])
    expect((await reader.get(page)).status, page).toBe(403);
  for (const form of forms) expect((await reader.post(form)).status, form).toBe(403);

  await db.database.transaction((tx) => setFrozen(tx, company.id, true));
  for (const form of [...forms, `${delivery}/resend`])
    expect((await own.post(form, { since: today, until: today })).status, form).toBe(403);
});
