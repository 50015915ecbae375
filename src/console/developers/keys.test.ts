import { createHmac } from "node:crypto";
import { pino } from "pino";
import { expect } from "vitest";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { makeCompany, type TestService, test } from "../../../test/fixtures.ts";
import { send, startReceiver, subscribe } from "../../../test/receiver.ts";
import { keyIdPrefix, listKeys } from "../../companies/credentials.ts";
import { KeyUses } from "../../companies/key-uses.ts";
import { sql } from "../../database/sql.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { readTrail } from "../../trail/read-trail.ts";

const path = "/console/developers";
const tokenIn = (text: string) => /at_[\w-]{43}/.exec(text)?.[0] ?? "";
const secretIn = (text: string) => /sk_[\w-]{43}/.exec(text)?.[0] ?? "";
const statusOf = async (service: TestService, token: string) =>
  (await service.call("GET", "/v1/balance", { token })).status;

test("a key is made beside others, replaced with an overlap, and revoked; the trail names the person", async ({
  db,
  service,
  company,
}) => {
  const person = await signIn(db, company.id, "developer");
  const client = new ConsoleClient(service, person);
  const call = (token: string) => statusOf(service, token);

  const made = await client.post(`${path}/keys`, { name: "  Boutique\u0007 en ligne " });
  const token = tokenIn(made.text);
  expect(secretIn(made.text)).not.toBe("");
  expect([await call(token), await call(company.accessToken)]).toEqual([200, 200]);
  const listed = (await client.get(path)).text;
  expect(listed).not.toContain(token);
  expect(listed).toContain("Boutique en ligne");

  const newest = async () => (await listKeys(db.database, company.id)).at(-1);
  const pageOf = async () =>
    `${path}/keys/${toPublicId(keyIdPrefix, (await newest())?.key_id ?? "")}`;
  const page = await pageOf();
  for (const wrong of [
    { overlap: "1" },
    { overlap: "moment", until: "2020-01-01T10:00" },
    { overlap: "moment", until: "2999-01-01T10:00" },
    { overlap: "moment", until: "soon" },
  ])
    expect((await client.post(`${page}/rotate`, wrong)).status).toBe(422);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const replaced = await client.post(`${page}/rotate`, {
    overlap: "moment",
    until: `${tomorrow}T10:30`,
  });
  const next = tokenIn(replaced.text);
  expect([await call(next), await call(token), await call(company.accessToken)]).toEqual([
    200, 200, 200,
  ]);
  const keys = await listKeys(db.database, company.id);
  expect(keys.map(({ name }) => name)).toEqual([null, "Boutique en ligne", "Boutique en ligne"]);
  // Africa/Dakar has the time of Greenwich.
  expect(keys.map(({ expires_at }) => expires_at?.toISOString() ?? null)).toEqual([
    null,
    `${tomorrow}T10:30:00.000Z`,
    null,
  ]);
  expect((await client.get(path)).text).toContain("Se termine le");

  const atOnce = await client.post(`${await pageOf()}/rotate`, { overlap: "0" });
  await expect.poll(() => call(next)).toBe(401);
  const last = tokenIn(atOnce.text);
  await client.post(`${await pageOf()}/revoke`);
  await expect.poll(() => call(last)).toBe(401);
  expect(await call(company.accessToken)).toBe(200);

  const query = { companyId: company.id, since: undefined, before: undefined, limit: 10 };
  const trail = await readTrail(db.database, query);
  const ofKeys = trail.filter(({ action }) => action.startsWith("key."));
  expect(ofKeys.map(({ action }) => action)).toEqual([
    "key.revoked",
    "key.issued",
    "key.issued",
    "key.issued",
  ]);
  for (const { by } of ofKeys) expect(by).toMatchObject({ personId: person.personId });
  expect(ofKeys[2]?.changes["until"]?.to).toBe(`${tomorrow}T10:30:00.000Z`);
});

test("a key beside others changes no signature that there is room for one of; one that replaces another takes its place", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url, ["transactions/completed"]);
  const client = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  const tell = async (reference: string) => {
    const before = receiver.received.length;
    await send(service, company, reference);
    const told = (await receiver.until(before + 1)).at(-1);
    return {
      raw: told?.raw ?? "",
      own: String(told?.headers["x-service-hmac-sha256"]),
      all: String(told?.headers["webhook-signature"]).split(" "),
    };
  };
  const isSignedBy = (secret: string, { own, raw }: { own: string; raw: string }) =>
    createHmac("sha256", secret).update(raw).digest("base64") === own;

  const beside = secretIn((await client.post(`${path}/keys`, { name: "Second" })).text);
  const first = await tell("a");
  expect(isSignedBy(company.secretKey, first)).toBe(true);
  expect(first.all).toHaveLength(2);

  const [oldest] = await listKeys(db.database, company.id);
  const page = `${path}/keys/${toPublicId(keyIdPrefix, oldest?.key_id ?? "")}`;
  const replacing = secretIn((await client.post(`${page}/rotate`, { overlap: "3600" })).text);
  const second = await tell("b");
  expect(isSignedBy(replacing, second)).toBe(true);
  expect(isSignedBy(beside, second)).toBe(false);
  expect(second.all).toHaveLength(3);
});

test("when a key was last used is written beside the requests, and not again within minutes", async ({
  db,
  company,
}) => {
  let now = new Date("2026-03-01T10:00:00Z");
  const uses = new KeyUses(db.database, () => now, pino({ level: "silent" }));
  const [key] = await listKeys(db.database, company.id);
  const usedAt = async () => (await listKeys(db.database, company.id))[0]?.used_at?.toISOString();

  uses.note(company.id, key?.key_id ?? "");
  expect(await usedAt()).toBeUndefined();
  await uses.write();
  expect(await usedAt()).toBe("2026-03-01T10:00:00.000Z");
  now = new Date("2026-03-01T10:04:00Z");
  uses.note(company.id, key?.key_id ?? "");
  await uses.write();
  // Another node, which does not know when it was written last.
  const other = new KeyUses(db.database, () => now, pino({ level: "silent" }));
  other.note(company.id, key?.key_id ?? "");
  await other.close();
  expect(await usedAt()).toBe("2026-03-01T10:00:00.000Z");
  now = new Date("2026-03-01T10:06:00Z");
  uses.note(company.id, key?.key_id ?? "");
  await uses.close();
  expect(await usedAt()).toBe("2026-03-01T10:06:00.000Z");
});

test("another company's key is nobody's, other roles have no keys, and there are only so many", async ({
  db,
  service,
  company,
}) => {
  const other = await makeCompany(db.database, { name: "Other" });
  const [theirs] = await listKeys(db.database, other.id);
  const page = `${path}/keys/${toPublicId(keyIdPrefix, theirs?.key_id ?? "")}`;
  const client = new ConsoleClient(service, await signIn(db, company.id, "owner"));

  expect((await client.get(page)).status).toBe(404);
  expect((await client.post(`${page}/revoke`)).status).toBe(404);
  expect((await client.post(`${page}/rotate`, { overlap: "0" })).status).toBe(404);
  for (const name of ["", " \u0000 ", "x".repeat(61)])
    expect((await client.post(`${path}/keys`, { name })).status).toBe(422);
  const reader = new ConsoleClient(service, await signIn(db, company.id, "reader"));
  expect((await reader.get(path)).status).toBe(403);
  expect((await reader.post(`${path}/keys`, { name: "x" })).status).toBe(403);
  expect(await listKeys(db.database, other.id)).toMatchObject([{ revoked_at: null }]);

  for (let made = 1; made < 10; made += 1)
    await client.post(`${path}/keys`, { name: `Key ${made}` });
  const many = await client.post(`${path}/keys`, { name: "One more" });
  expect([many.status, many.text.includes("Trop de clés")]).toEqual([422, true]);
  const counted = await db.database.query(sql`
    select 1 from secret_keys where company_id = ${company.id}`);
  expect(counted).toHaveLength(10);
});
