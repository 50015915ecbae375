import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { ConsoleClient } from "../../../test/console.ts";
import { deskOf, member, transferOf } from "../../../test/desk.ts";
import { makeCompany, test } from "../../../test/fixtures.ts";
import { sendByKey, statusesOf } from "../../../test/held.ts";
import { json, statusOf, takeSeat } from "../../../test/passkey-pages.ts";
import { actionsOf } from "../../../test/passkeys.ts";
import { textOf } from "../../../test/pay-page.ts";
import type { SignedFields } from "../../../test/soft-authenticator.ts";
import { proposalIdPrefix } from "../../approvals/proposal.ts";
import { propose } from "../../approvals/propose.ts";
import { setKeysAloneMax } from "../../approvals/rules.ts";
import { sql } from "../../database/sql.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { operator } from "../../trail/actor.ts";

test("an approval takes a signature for exactly that payment, once, by its person", async ({
  db,
  service,
  company,
}) => {
  const { client, device, who } = await takeSeat(db, service, company.id);
  const others = await takeSeat(db, service, company.id, "owner");
  const abroad = await makeCompany(db.database, { name: "Other" });
  const outsider = await takeSeat(db, service, abroad.id, "owner");
  const ask = async (reference: string) => {
    const proposal = await propose(deskOf(db.database), {
      companyId: company.id,
      by: await member(db.database, company.id),
      title: reference,
      asked: transferOf(reference),
    });
    const path = `/console/approvals/${toPublicId(proposalIdPrefix, proposal.id)}`;
    return { path, hash: proposal.hash };
  };
  const [rent, wages] = [await ask("rent"), await ask("wages")];
  const page = await client.get(rent.path);
  expect(page.text).toContain("Approuver avec une clé d’accès");
  const challenge = async (by: ConsoleClient, { path, hash }: typeof rent, verb = "approve") =>
    json(await by.post(`${path}/${verb}/challenge`, { hash }));
  const stateOf = async () => {
    const rows = await db.database.query<{ count: number }>(sql`select 1 from approvals`);
    return rows.length;
  };

  const { hash } = rent;
  const wrongs: readonly SignedFields[] = [
    device.get(await challenge(client, wages)),
    device.get(await challenge(client, { ...rent, hash: "0".repeat(64) })),
    device.get(await challenge(client, rent, "refuse")),
    device.get(await challenge(client, rent), { isUnverified: true }),
    others.device.get(await challenge(client, rent)),
    device.get(await challenge(others.client, rent)),
    device.get({ challenge: randomBytes(32).toString("base64url"), rpId: "localhost" }),
  ];
  for (const wrong of wrongs)
    expect((await client.post(`${rent.path}/approve`, { hash, ...wrong })).location).toBe(
      rent.path,
    );
  expect(await stateOf()).toBe(0);
  const notFound = await outsider.client.post(`${rent.path}/approve/challenge`, { hash });
  expect(notFound.status).toBe(404);
  // As if a copy of the device had signed forty times meanwhile.
  await db.database.query(sql`
    update passkeys set counter = 40 where person_id = ${who.personId}`);
  const counted = device.get(await challenge(client, rent), { counter: 1 });
  await client.post(`${rent.path}/approve`, { hash, ...counted });
  expect(await stateOf()).toBe(0);
  expect(await actionsOf(db, company.id)).toContain("person.passkey_copied");
  await db.database.query(sql`delete from login_counts`);

  const good = device.get(await challenge(client, rent), { counter: 50 });
  const signed = { hash, ...good };
  const all = await Promise.all(
    Array.from({ length: 8 }, () => client.post(`${rent.path}/approve`, signed)),
  );
  expect(all.map(statusOf)).toEqual(Array(8).fill(303));
  expect(await stateOf()).toBe(1);
  expect((await client.post(`${wages.path}/approve`, { ...good, hash: wages.hash })).status).toBe(
    303,
  );
  expect(await stateOf()).toBe(1);
  const no = device.get(await challenge(client, wages, "refuse"));
  const refused = { hash: wages.hash, comment: "Trop tôt", ...no };
  await client.post(`${wages.path}/refuse`, refused);
  expect(textOf((await client.get(wages.path)).text)).toContain("Trop tôt");
});

test("what keys have sent takes a signature for exactly what was reviewed", async ({
  db,
  service,
  company,
}) => {
  await setKeysAloneMax(db.database, company.id, 0, operator("a test"));
  const { client, device } = await takeSeat(db, service, company.id);
  const held = "/console/approvals/held";
  const [rent, water] = [
    (await sendByKey(service, company, "Loyer")).body.id as string,
    (await sendByKey(service, company, "Eau")).body.id as string,
  ];
  const fieldsOf = async (transaction: string) => {
    const page = await client.get(`${held}?transaction=${transaction}`);
    expect(page.text).toContain("Approuver avec une clé d’accès");
    return { transaction, hash: /name="hash" value="([^"]*)"/.exec(page.text)?.[1] ?? "" };
  };
  const [ofRent, ofWater] = [await fieldsOf(rent), await fieldsOf(water)];
  const challenge = async (fields: typeof ofRent, verb = "approve") =>
    json(await client.post(`${held}/${verb}/challenge`, fields));

  for (const wrong of [
    device.get(await challenge(ofWater)),
    device.get(await challenge(ofRent, "refuse")),
    device.get(await challenge(ofRent), { isUnverified: true }),
  ])
    expect((await client.post(`${held}/approve`, { ...ofRent, ...wrong })).location).toBe(
      `${held}?transaction=${rent}`,
    );
  expect(await statusesOf(service, company)).toEqual({ pending: 2 });

  const good = device.get(await challenge(ofRent));
  expect((await client.post(`${held}/approve`, { ...ofRent, ...good })).location).toBe(
    "/console/approvals",
  );
  await expect.poll(() => statusesOf(service, company)).toEqual({ pending: 1, completed: 1 });
  expect((await client.post(`${held}/approve/challenge`, ofRent)).status).toBe(404);
});

test("whoever decides rightly is never made to wait for it", async ({ db, service, company }) => {
  const { client, device } = await takeSeat(db, service, company.id);
  for (let payments = 0; payments < 12; payments += 1) {
    const { id, hash } = await propose(deskOf(db.database), {
      companyId: company.id,
      by: await member(db.database, company.id),
      title: "many",
      asked: transferOf(`many-${payments}`),
    });
    const path = `/console/approvals/${toPublicId(proposalIdPrefix, id)}`;
    const signed = device.get(json(await client.post(`${path}/refuse/challenge`, { hash })));
    await client.post(`${path}/refuse`, { hash, comment: "Non", ...signed });
  }
  const rows = await db.database.query(sql`select 1 from approvals where verdict = 'refused'`);
  expect(rows).toHaveLength(12);
});
