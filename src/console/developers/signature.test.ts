import { webhooks } from "@cauri/sdk";
import { expect } from "vitest";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { makeCompany, test } from "../../../test/fixtures.ts";
import { keyIdPrefix, listKeys } from "../../companies/credentials.ts";
import { sql } from "../../database/sql.ts";
import { toPublicId } from "../../kernel/ids.ts";

const path = "/console/developers/signature";
const linesOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\r\n");
const payload = { topic: "transactions/completed", data: { id: "txn_1", amount: 5_000 } };

test("the page says why a signature does not match, and with which key it was made", async ({
  db,
  service,
  company,
}) => {
  const client = new ConsoleClient(service, await signIn(db, company.id, "developer"));
  const check = async (body: string, headers: Readonly<Record<string, string>>, key = "") =>
    (await client.post(path, { body, headers: linesOf(headers), key })).text;
  const good = await webhooks.sign(payload, company.secretKey);
  const { body, headers } = good;
  expect(await check(body, headers)).toContain("La signature correspond (webhook-signature)");
  const { "x-service-hmac-sha256": own = "" } = headers;
  expect(await check(body, { "x-service-hmac-sha256": own })).toContain(
    "correspond (x-service-hmac-sha256)",
  );

  const old = await webhooks.sign(payload, company.secretKey, {
    sentAt: new Date(Date.now() - 600_000),
  });
  const ahead = await webhooks.sign(payload, company.secretKey, {
    sentAt: new Date(Date.now() + 600_000),
  });
  const foreign = await webhooks.sign(payload, "sk_of_somebody_else");
  const without = { ...headers, "webhook-signature": headers["webhook-signature"]?.slice(3) ?? "" };
  const { "webhook-id": _id, ...noId } = headers;
  for (const [reason, text] of [
    ["too_old", await check(old.body, old.headers)],
    ["too_new", await check(ahead.body, ahead.headers)],
    ["changed_whitespace", await check(`${body}\r\n`, headers)],
    ["changed_whitespace", await check(JSON.stringify(JSON.parse(body), null, 2), headers)],
    ["reserialised_body", await check(JSON.stringify({ ...payload }), headers)],
    ["wrong_secret", await check(foreign.body, foreign.headers)],
    ["malformed_header", await check(body, without)],
    ["missing_header", await check(body, noId)],
  ] as const)
    expect(text, reason).toContain(`<span class="code">${reason}</span>`);

  // Signed with a key that is good no more, or with another than the one the receiver has.
  const made = await client.post("/console/developers/keys", { name: "Neuve" });
  const newSecret = /sk_[\w-]{43}/.exec(made.text)?.[0] ?? "";
  const [oldKey] = await listKeys(db.database, company.id);
  const oldId = toPublicId(keyIdPrefix, oldKey?.key_id ?? "");
  const byNew = await webhooks.sign(payload, newSecret);
  expect(await check(byNew.body, byNew.headers)).toContain("Signé avec la clé Neuve.");
  expect(await check(byNew.body, byNew.headers, oldId)).toContain(
    "La signature est celle de la clé Neuve, pas de celle que vous avez choisie.",
  );
  await client.post(`/console/developers/keys/${oldId}/revoke`);
  expect(await check(body, headers)).toContain(`de la clé ${oldId}, qui n’est plus valable`);
});

test("nothing that is pasted is kept or shown to others, no secret is shown, and another company's keys are of no use", async ({
  db,
  service,
  company,
}) => {
  const other = await makeCompany(db.database, { name: "Other" });
  const client = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  const theirs = await webhooks.sign(payload, other.secretKey);
  const answer = await client.post(path, {
    body: `${theirs.body}<script>`,
    headers: linesOf(theirs.headers),
  });
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain("<script>");
  expect(answer.text).not.toMatch(/sk_[\w-]{20}/);
  expect(answer.headers["cache-control"]).toBe("no-store");
  const unsaid = await client.post(path, { body: theirs.body, headers: linesOf(theirs.headers) });
  expect(unsaid.text).toContain("wrong_secret");
  const [key] = await listKeys(db.database, other.id);
  const chosen = toPublicId(keyIdPrefix, key?.key_id ?? "");
  for (const fields of [
    { body: "", headers: "a: b", key: "" },
    { body: "x", headers: "no header", key: "" },
    { body: "x", headers: "a: b", key: chosen },
  ])
    expect((await client.post(path, fields)).status).toBe(422);
  expect((await client.post(path, { body: "x".repeat(300_000), headers: "a: b" })).status).toBe(
    413,
  );
  const kept = await db.database.query(
    sql`select notice from staff_sessions where notice is not null`,
  );
  expect(kept).toEqual([]);
  const reader = new ConsoleClient(service, await signIn(db, company.id, "reader"));
  expect((await reader.get(path)).status).toBe(403);
});
