import { expect } from "vitest";
import { joinByOperator, joinConfirmed } from "../../../test/access.ts";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { deskOf, somebody, transferOf } from "../../../test/desk.ts";
import { box, type TestDatabase, test } from "../../../test/fixtures.ts";
import { sendByKey } from "../../../test/held.ts";
import { operations, operatorOf, reason } from "../../../test/operators.ts";
import { textOf } from "../../../test/pay-page.ts";
import { removeMember } from "../../access/members.ts";
import { proposalIdPrefix } from "../../approvals/proposal.ts";
import { propose } from "../../approvals/propose.ts";
import { aloneMaxOf, keysAloneMaxOf, setKeysAloneMax } from "../../approvals/rules.ts";
import { createKey } from "../../companies/credentials.ts";
import { Signals } from "../../database/signals.ts";
import { sql } from "../../database/sql.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { operator } from "../../trail/actor.ts";
import { toldToOwners } from "../../trail/trail.ts";

const rules = "/console/team/rules";
const requestIn = (text: string) => /\/console\/team\/requests\/req_\w+/.exec(text)?.[0] ?? "";

async function unseen({ database }: TestDatabase, personId: string): Promise<number | undefined> {
  const rows = await database.query<{ unseen_changes: number }>(sql`
    select unseen_changes from memberships where person_id = ${personId}`);
  return rows[0]?.unseen_changes;
}

test("a rule that lets more go out is asked for, and in force when a second owner has confirmed it", async ({
  db,
  service,
  company,
}) => {
  const first = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  const second = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  for (const amount of ["", "-1", "12,5", "mille"])
    expect((await first.post(rules, { rule: "alone_max", amount })).status, amount).toBe(422);
  expect((await first.post(rules, { rule: "fees", amount: "0" })).status).toBe(404);

  const asked = await first.post(rules, { rule: "alone_max", amount: "50 000" });
  const address = requestIn(asked.location);
  expect(await aloneMaxOf(db.database, company.id)).toBe(0);
  // Whoever asked has no form to confirm with, and does not get anywhere by sending one.
  expect((await first.get(address)).text).not.toContain(`${address}/confirm`);
  await first.post(`${address}/confirm`);
  expect(textOf((await first.get(address)).text)).toContain("Vous l’avez demandé");
  expect(await aloneMaxOf(db.database, company.id)).toBe(0);

  await second.post(`${address}/confirm`);
  expect(await aloneMaxOf(db.database, company.id)).toBe(50_000);
  await first.post(rules, { rule: "keys_alone_max", amount: "10000" });
  expect(await keysAloneMaxOf(db.database, company.id)).toBe(10_000);
  const off = requestIn((await first.post(rules, { rule: "keys_alone_max", amount: "" })).location);
  await second.post(`${off}/refuse`);
  expect(await keysAloneMaxOf(db.database, company.id)).toBe(10_000);
  expect(textOf((await second.get(off)).text)).toContain("Refusée");
});

test("an only owner is told so, with what to send to the operator, who confirms with a reason", async ({
  db,
  service,
  company,
}) => {
  const client = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  expect(textOf((await client.get("/console/team")).text)).toContain(
    "Vous êtes le seul propriétaire",
  );
  const invited = await client.post("/console/team/invite", {
    email: "fatou@shop.example",
    role: "approver",
  });
  expect(textOf(invited.text)).toMatch(/cauri staff confirm req_[0-9a-f]{32}/);
  const asked = await client.post(rules, { rule: "alone_max", amount: "50000" });
  const address = requestIn(asked.location);
  expect(textOf((await client.get(address)).text)).toContain(
    `cauri staff confirm ${address.split("/").at(-1) ?? ""}`,
  );

  const { client: boss } = await operatorOf(db, service);
  const page = address.replace("/console/team", operations);
  expect((await boss.get(`${operations}/requests`)).text).toContain(page);
  expect((await boss.post(`${page}/confirm`, { reason: "" })).status).toBe(422);
  expect(await aloneMaxOf(db.database, company.id)).toBe(0);
  expect((await boss.post(`${page}/confirm`, { reason })).location).toBe(`${operations}/requests`);
  expect(await aloneMaxOf(db.database, company.id)).toBe(50_000);
  const trail = await client.get("/console/trail?kind=access");
  expect(trail.text).toContain("access.confirmed");
  expect(textOf(trail.text)).toContain(reason);
});

test("whoever is invited already, or is oneself, is not invited; the page says why", async ({
  db,
  service,
  company,
}) => {
  const owner = await signIn(db, company.id, "owner");
  const reader = await signIn(db, company.id, "reader");
  const client = new ConsoleClient(service, owner);
  const invite = (email: string) => client.post("/console/team/invite", { email, role: "owner" });

  const own = await invite(owner.email);
  expect([own.status, textOf(own.text).includes("votre propre adresse")]).toEqual([422, true]);
  const known = await invite(reader.email);
  expect([known.status, textOf(known.text).includes("travaille déjà")]).toEqual([422, true]);
  expect(await db.database.query(sql`select 1 from staff_links`)).toEqual([]);
});

test("somebody whom a preparer let in sees why another has to decide, and no form", async ({
  db,
  service,
  company,
}) => {
  const { database } = db;
  const owner = await signIn(db, company.id, "owner");
  const by = somebody(owner.personId);
  await joinConfirmed(database, by, company.id, "second@shop.example", "approver");
  const second = await signIn(db, company.id, "approver", "second@shop.example");
  const client = new ConsoleClient(service, second);
  const { id } = await propose(deskOf(database), {
    companyId: company.id,
    by,
    title: "Loyer",
    asked: transferOf("rent"),
  });
  const path = `/console/approvals/${toPublicId(proposalIdPrefix, id)}`;
  const sentence = `${owner.email}, qui l’a préparé ou a créé une clé pour cela, vous a fait entrer`;

  const page = await client.get(path);
  expect(textOf(page.text)).toContain(sentence);
  expect(page.text).not.toContain(`${path}/approve`);

  const signals = new Signals(db.url, database);
  const key = { companyId: company.id, name: "shop" };
  await createKey(database, signals, box, new Date(), key, by, 9);
  await setKeysAloneMax(database, company.id, 0, operator("a test"));
  await sendByKey(service, company, "water");
  const held = await client.get("/console/approvals/held");
  expect(textOf(held.text)).toContain(sentence);
  expect(held.text).not.toContain("/console/approvals/held/approve");
  // Somebody whom the operator let in has both forms.
  const other = new ConsoleClient(service, await signIn(db, company.id, "approver"));
  expect((await other.get(path)).text).toContain(`${path}/approve`);
});

test("a payment whose maker has left is withdrawn, and the lists say why", async ({
  db,
  service,
  company,
}) => {
  const owner = await signIn(db, company.id, "owner");
  const maker = await joinByOperator(db.database, company.id, "moussa@shop.example", "preparer");
  await propose(deskOf(db.database), {
    companyId: company.id,
    by: maker,
    title: "Loyer",
    asked: transferOf("rent"),
  });

  await removeMember(db.database, company.id, maker.personId, somebody(owner.personId));

  const list = await new ConsoleClient(service, owner).get("/console/approvals");
  expect(textOf(list.text)).toContain("La personne qui l’a demandé a quitté l’équipe");
});

test("every page tells an owner of changes that others made, until the owner has acknowledged them", async ({
  db,
  service,
  company,
}) => {
  const owner = await signIn(db, company.id, "owner");
  const other = await signIn(db, company.id, "owner");
  const reader = new ConsoleClient(service, await signIn(db, company.id, "reader"));
  await db.database.query(sql`update memberships set unseen_changes = 0`);
  const client = new ConsoleClient(service, owner);
  const told = "depuis votre dernier regard";
  expect((await client.get("/console/transfers")).text).not.toContain(told);

  const colleague = new ConsoleClient(service, other);
  await colleague.post("/console/team/invite", { email: "x@shop.example", role: "reader" });
  const signals = new Signals(db.url, db.database);
  const key = { companyId: company.id, name: "shop" };
  await createKey(db.database, signals, box, new Date(), key, operator("a test"), 9);
  await setKeysAloneMax(db.database, company.id, 0, operator("a test"));

  for (const page of ["/console", "/console/transfers", "/console/team"])
    expect(textOf((await client.get(page)).text), page).toContain(`3 changements`);
  // Of what one has changed oneself one is not told, nor is anybody who is no owner.
  expect(await unseen(db, other.personId)).toBe(2);
  expect((await reader.get("/console/transfers")).text).not.toContain(told);
  const list = await client.get("/console/team/changes");
  for (const text of ["member.invited", "key.issued", "company.changed", other.email])
    expect(list.text.replaceAll("<wbr/>", "")).toContain(text);
  const seen = /name="seen" value="(\d+)"/.exec(list.text)?.[1] ?? "";

  // One that comes between looking and acknowledging stays to be seen.
  await colleague.post("/console/team/invite", { email: "y@shop.example", role: "reader" });
  await client.post("/console/team/changes", { seen });
  expect(textOf((await client.get("/console/transfers")).text)).toContain("Un changement");
  await client.post("/console/team/changes", { seen: "1" });
  expect((await client.get("/console/transfers")).text).not.toContain(told);
});

test("what owners are told is what the index of the trail has", async ({ db }) => {
  const [index] = await db.database.query<{ text: string }>(sql`
    select pg_get_indexdef('company_trail_changes'::regclass) as text`);
  const inIndex = Array.from(
    (index?.text ?? "").matchAll(/'([a-z_]+\.[a-z_]+)'/g),
    ([, name = ""]) => name,
  );

  expect(inIndex.toSorted()).toEqual([...toldToOwners].toSorted());
});
