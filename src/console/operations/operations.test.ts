import { describe, expect } from "vitest";
import { endAudit } from "../../../test/audits.ts";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { auditDifferences, makeCompany, test } from "../../../test/fixtures.ts";
import { operations, operatorOf, reason, trailOf } from "../../../test/operators.ts";
import { patience } from "../../../test/receiver.ts";
import { sql } from "../../database/sql.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { companyRoles } from "../../staff/roles.ts";

const plain = (text: string) => text.replaceAll("\u00a0", " ").replaceAll("<wbr/>", "");

describe("who gets in", () => {
  const pages = ["", "/companies", "/stuck", "/endpoints", "/banner"].map(
    (path) => operations + path,
  );

  test("403: nobody who works for a company, whatever the role; nor is a form of theirs taken", async ({
    db,
    service,
    company,
  }) => {
    for (const role of companyRoles) {
      const client = new ConsoleClient(service, await signIn(db, company.id, role));
      for (const page of pages)
        expect((await client.get(page)).status, `${role} ${page}`).toBe(403);
      const fields = { severity: "outage", fr: "Tout va mal", en: "All is bad", minutes: "60" };
      expect((await client.post(`${operations}/banner`, fields)).status).toBe(403);
      const freeze = `${operations}/companies/${toPublicId("com", company.id)}/freeze`;
      expect((await client.post(freeze, { reason, to: "frozen" })).status).toBe(403);
    }
    expect(await db.database.query(sql`select 1 from banners`)).toEqual([]);
    expect(await trailOf(db, company.id, "company.frozen")).toEqual([]);
  });

  test("303: whoever is not signed in signs in, and an operator without a second factor sets it up", async ({
    db,
    service,
  }) => {
    const { who, client } = await operatorOf(db, service);
    const nobody = new ConsoleClient(service, undefined);
    expect((await nobody.get(operations)).location).toMatch(/^\/console\/login/);
    expect((await client.get("/console")).location).toBe(operations);
    expect((await client.get(operations)).status).toBe(200);

    await db.database.query(
      sql`update people set totp_sealed = null where person_id = ${who.personId}`,
    );
    for (const page of pages)
      expect((await client.get(page)).location, page).toBe("/console/second-factor");
    expect((await client.post(`${operations}/banner/end`)).location).toBe("/console/second-factor");
  });

  test("403: an operator who is none any more, with the next request", async ({ db, service }) => {
    const { who, client } = await operatorOf(db, service);
    expect((await client.get(operations)).status).toBe(200);
    await db.database.query(
      sql`update people set is_operator = false where person_id = ${who.personId}`,
    );
    for (const page of pages) expect((await client.get(page)).status, page).toBe(403);
  });
});

describe("health", () => {
  test("tells how the last audit ended, whenever this node was started", async ({
    db,
    service,
  }) => {
    const { client } = await operatorOf(db, service);
    expect((await client.get(operations)).text).toContain("Aucun contrôle n’a encore été fait");
    await endAudit(db.database, 0);
    expect((await client.get(operations)).text).toContain("Les comptes sont justes");
    await endAudit(db.database, 2);
    const page = (await client.get(operations)).text;
    expect(plain(page)).toContain("2 différences !");
    expect(page).toContain("À traiter maintenant");
    expect(page).toContain(`cauri:${process.pid}`);
  });
});

describe("companies", () => {
  test("are found by a part of the name, without its accents, or by their id", async ({
    db,
    service,
    company,
  }) => {
    const { client } = await operatorOf(db, service);
    const other = await makeCompany(db.database, { name: "Épicerie de Thiès", fund: 123_456 });
    const id = toPublicId("com", other.id);

    const found = await client.get(`${operations}/companies?q=epicerie`);
    expect(plain(found.text)).toContain("123 456 F CFA");
    expect(found.text).not.toContain(toPublicId("com", company.id));
    expect((await client.get(`${operations}/companies?q=${id}`)).location).toBe(
      `${operations}/companies/${id}`,
    );
    expect((await client.get(`${operations}/companies?q=zzz`)).text).toContain(
      "Aucune société ici",
    );
    const page = await client.get(`${operations}/companies/${id}`);
    expect(plain(page.text)).toContain("de 5 000 F CFA à 500 000 F CFA");
    for (const unknown of [toPublicId("com", crypto.randomUUID()), "x", "com_"])
      expect((await client.get(`${operations}/companies/${unknown}`)).status).toBe(404);
  });

  test("are frozen and served again, for a reason, by a person that the trail names", async ({
    db,
    service,
    company,
  }) => {
    const { who, client } = await operatorOf(db, service);
    const path = `${operations}/companies/${toPublicId("com", company.id)}/freeze`;
    const ask = async () =>
      (await service.call("GET", "/v1/balance", { token: company.accessToken })).status;

    for (const said of ["", "  \u200b ", "nope", "x".repeat(201)])
      expect((await client.post(path, { reason: said, to: "frozen" })).status).toBe(422);
    expect(await ask()).toBe(200);
    expect((await client.get(path)).text).toContain("virements en attente échouent");

    expect((await client.post(path, { reason, to: "frozen" })).status).toBe(303);
    await expect.poll(ask, patience).toBe(403);
    const again = await client.post(path, { reason, to: "frozen" });
    expect((await client.get(again.location)).text).toContain("était déjà gelée");
    expect(await trailOf(db, company.id, "company.frozen")).toEqual([
      {
        by: { personId: who.personId, address: "127.0.0.1" },
        via: `POST ${operations}/companies/:id/freeze`,
        said: { reason },
      },
    ]);

    expect((await client.post(path, { reason: "Clés changées", to: "open" })).status).toBe(303);
    await expect.poll(ask, patience).toBe(200);
    expect((await trailOf(db, company.id, "company.unfrozen"))[0]?.said).toEqual({
      reason: "Clés changées",
    });
    expect(await auditDifferences(db.database)).toEqual([]);
  });
});
