import { describe, expect, onTestFinished } from "vitest";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { startService, test } from "../../../test/fixtures.ts";
import { operations, operatorOf, reason, trailOf } from "../../../test/operators.ts";
import { patience, send, startReceiver, subscribe, untilAttempts } from "../../../test/receiver.ts";
import { Signals } from "../../database/signals.ts";
import { sql } from "../../database/sql.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { findStuckWork } from "../../operations/stuck-work.ts";

describe("stuck work", () => {
  test("is what nobody has done for a minute; waking it tells every node, and moves nothing", async ({
    db,
    company,
  }) => {
    const service = await startService(db, { ROLES: "api" });
    onTestFinished(() => service.stop());
    const { who, client } = await operatorOf(db, service);
    await send(service, company, "waits");
    const empty = await client.get(`${operations}/stuck`);
    expect(empty.text).toContain("Rien n’est bloqué");
    const later = await findStuckWork(db.database, new Date(Date.now() + 120_000));
    expect(later).toMatchObject([{ companyId: company.id, queue: "transfers", inFlight: 5_000 }]);
    await db.database.query(sql`
      insert into work (company_id, queue, ready_at) values (${company.id}, 'logos', now() - interval '2 minutes')`);
    expect((await client.get(`${operations}/stuck`)).text).toContain("Logos à chercher");

    const heard: string[] = [];
    const signals = new Signals(db.url, db.database);
    // Of the transfer nodes are told too, whenever they are.
    signals.on("work_ready", (payload) => {
      if (payload.startsWith("logos ")) heard.push(payload);
    });
    await signals.start();
    onTestFinished(() => signals.close());
    const asked = { company: toPublicId("com", company.id), queue: "logos" };
    expect(
      (await client.get(`${operations}/stuck/wake?${new URLSearchParams(asked)}`)).status,
    ).toBe(200);
    expect((await client.post(`${operations}/stuck/wake`, asked)).status).toBe(422);
    expect(heard).toEqual([]);
    for (const unknown of [{ queue: "shell" }, { company: "com_x" }])
      expect(
        (await client.post(`${operations}/stuck/wake`, { ...asked, ...unknown, reason })).status,
      ).toBe(404);
    for (let time = 0; time < 2; time += 1)
      expect((await client.post(`${operations}/stuck/wake`, { ...asked, reason })).status).toBe(
        303,
      );
    await expect.poll(() => heard, patience).toEqual(Array(2).fill(`logos ${company.id}`));
    const said = (await trailOf(db, company.id, "company.work_woken"))[0];
    expect(said).toMatchObject({
      by: { personId: who.personId },
      said: { queue: "logos", reason },
    });
  });
});

describe("failing webhooks", () => {
  test("of all companies are listed; one is enabled, and told again what it was never told", async ({
    db,
    service,
    company,
  }) => {
    const { client } = await operatorOf(db, service);
    let status = 500;
    const receiver = await startReceiver((_received, response) => response.writeHead(status).end());
    const { completed: id = "" } = await subscribe(service, company, receiver.url, [
      "transactions/completed",
    ]);
    await send(service, company, "untold");
    await untilAttempts(db.database, 1);
    expect((await client.get(`${operations}/endpoints`)).text).toContain(
      "Tous les webhooks répondent",
    );
    await db.database.query(sql`
      update endpoints set failures = 7, failing_since = now() - interval '2 hours' where company_id = ${company.id}`);
    await db.database.query(sql`
      update deliveries set status = 'failed', next_attempt_at = null where company_id = ${company.id}`);
    await db.database.query(sql`
      update webhooks set disabled_at = now(), disabled_reason = 'It failed for five days.' where id = ${id}`);
    const list = (await client.get(`${operations}/endpoints`)).text;
    expect(list).toContain(receiver.url);
    expect(list).toContain("Désactivé");

    const path = `${operations}/endpoints/${id}`;
    expect((await client.get(path)).text).toContain("It failed for five days.");
    expect((await client.post(`${path}/enable`)).status).toBe(422);
    const refused = await client.post(`${path}/replay`, { reason, hours: "24" });
    expect((await client.get(refused.location)).text).toContain('role="alert"');
    const page = async (form: string, fields = {}) =>
      (await client.get((await client.post(`${path}/${form}`, { reason, ...fields })).location))
        .text;
    expect(await page("enable")).toContain("de nouveau en service");
    expect(await page("enable")).toContain("était déjà en service");
    expect(await trailOf(db, company.id, "webhook.enabled")).toMatchObject([{ said: { reason } }]);

    status = 200;
    const before = receiver.received.length;
    expect((await client.post(`${path}/replay`, { reason, hours: "9" })).status).toBe(422);
    expect(await page("replay", { hours: "24" })).toContain("1 envoi à nouveau en attente.");
    await expect.poll(() => receiver.received.length, patience).toBe(before + 1);
    const isDelivered = async () => (await client.get(path)).text.includes("Remis");
    await expect.poll(isDelivered, patience).toBe(true);
    expect(await page("replay", { hours: "24" })).toContain("Il n’y avait rien à renvoyer.");
    expect((await client.get(`${operations}/endpoints/${crypto.randomUUID()}`)).status).toBe(404);
  });
});

describe("the banner", () => {
  const banner = {
    severity: "outage",
    fr: "Les virements sont en retard. L’argent est sûr.",
    en: "Transfers are late. Money is safe.",
    minutes: "60",
  };

  test("is on every page of everybody in their language, until its end", async ({
    db,
    service,
    company,
  }) => {
    const { who, client } = await operatorOf(db, service);
    const reader = await signIn(db, company.id, "reader");
    const readers = (lang: string) =>
      new ConsoleClient(service, reader, { "accept-language": lang }).get("/console");
    const nobody = new ConsoleClient(service, undefined);
    for (const wrong of [
      { fr: "" },
      { en: "x".repeat(501) },
      { severity: "end" },
      { minutes: "9" },
    ])
      expect((await client.post(`${operations}/banner`, { ...banner, ...wrong })).status).toBe(422);
    expect((await readers("fr")).text).not.toContain('class="banner');

    expect((await client.post(`${operations}/banner`, banner)).status).toBe(303);
    const shown = (await client.get(`${operations}/banner`)).text;
    expect(shown).toContain('class="banner outage" role="alert"');
    expect((await readers("fr")).text).toContain(banner.fr);
    expect((await readers("en")).text).toContain(banner.en);
    expect((await nobody.get("/console/login")).text).toContain(banner.fr);
    expect((await nobody.get("/console/nothing")).text).toContain(banner.fr);
    expect(await trailOf(db, undefined, "banner.set")).toMatchObject([
      { by: { personId: who.personId }, said: { ...banner, minutes: 60 } },
    ]);

    const ended = await client.post(`${operations}/banner/end`);
    expect((await client.get(ended.location)).text).toContain("Le bandeau est retiré.");
    expect((await readers("fr")).text).not.toContain(banner.fr);
    const again = await client.post(`${operations}/banner/end`);
    expect((await client.get(again.location)).text).toContain("Aucun bandeau n’était affiché.");
    expect(await trailOf(db, undefined, "banner.ended")).toHaveLength(1);
  });
});
