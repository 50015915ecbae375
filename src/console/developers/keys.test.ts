import { expect } from "vitest";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { makeCompany, test } from "../../../test/fixtures.ts";
import { keyIdPrefix, listKeys } from "../../companies/credentials.ts";
import { toPublicId } from "../../kernel/ids.ts";

test("a new key works beside the old one, which ends when it was told to; a revoked one is refused at once", async ({
  db,
  service,
  company,
}) => {
  const client = new ConsoleClient(service, await signIn(db, company.id, "developer"));
  const call = async (token: string) =>
    (await service.call("GET", "/v1/balance", { token })).status;

  const made = await client.post("/console/developers/keys", { overlap: "3600" });
  const token = /at_[\w-]{43}/.exec(made.text)?.[0] ?? "";
  expect(made.text).toMatch(/sk_[\w-]{43}/);
  expect([await call(token), await call(company.accessToken)]).toEqual([200, 200]);
  const listed = await client.get("/console/developers");
  expect(listed.text).not.toContain(token);
  expect(listed.text).toContain("Se termine le");

  const newest = (await listKeys(db.database, company.id)).at(-1);
  const path = `/console/developers/keys/${toPublicId(keyIdPrefix, newest?.key_id ?? "")}`;
  expect((await client.get(path)).text).toContain("Révoquer");
  await client.post(`${path}/revoke`);

  await expect.poll(() => call(token)).toBe(401);
  expect((await client.post(`${path}/revoke`)).status).toBe(404);
});

test("another company's key is nobody's, and other roles have no keys", async ({
  db,
  service,
  company,
}) => {
  const other = await makeCompany(db.database, { name: "Other" });
  const [theirs] = await listKeys(db.database, other.id);
  const path = `/console/developers/keys/${toPublicId(keyIdPrefix, theirs?.key_id ?? "")}`;
  const client = new ConsoleClient(service, await signIn(db, company.id, "owner"));

  expect((await client.get(path)).status).toBe(404);
  expect((await client.post(`${path}/revoke`)).status).toBe(404);
  expect((await client.post("/console/developers/keys", { overlap: "1" })).status).toBe(422);
  const reader = new ConsoleClient(service, await signIn(db, company.id, "reader"));
  expect((await reader.get("/console/developers")).status).toBe(403);
  expect((await reader.post("/console/developers/keys", { overlap: "0" })).status).toBe(403);
  expect(await listKeys(db.database, other.id)).toMatchObject([{ revoked_at: null }]);
});
