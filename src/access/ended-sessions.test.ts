import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { browser, joinByOperator, signedIn } from "../../test/access.ts";
import { deskOf, transferOf } from "../../test/desk.ts";
import { box, test } from "../../test/fixtures.ts";
import { getProposal } from "../approvals/find-proposals.ts";
import { propose } from "../approvals/propose.ts";
import { createKey } from "../companies/credentials.ts";
import type { Database, Tx } from "../database/database.ts";
import { Signals } from "../database/signals.ts";
import { confirmSignIn, signIn } from "../staff/login.ts";
import { changePassword } from "../staff/members.ts";
import { hashPassword } from "../staff/passwords.ts";
import { findPersonByEmail, lockPerson } from "../staff/people.ts";
import { setSecondFactor } from "../staff/second-factor.ts";
import { findSession, listSessions } from "../staff/sessions.ts";
import { updatePassword } from "../staff/store.ts";
import { stepAt, totpCodeAt } from "../staff/totp.ts";
import { type ConsolePerson, operator } from "../trail/actor.ts";
import { NotPermitted } from "../trail/errors.ts";
import { registerWebhook } from "../webhooks/manage-webhooks.ts";
import { invite, resetPerson } from "./links.ts";
import { changeRole, removeMember } from "./members.ts";
import { askForRule } from "./rules.ts";

const by = operator("a test");
const now = () => new Date();
const [awa, binta] = ["awa@shop.example", "binta@shop.example"];

/** Somebody in the middle of a request: the session was good when it came. */
async function atWork(
  database: Database,
  who: ConsolePerson,
  companyId: string,
): Promise<ConsolePerson> {
  const { sessionToken } = await signedIn(database, who, companyId);
  const session = await findSession(database, sessionToken);
  if (session === undefined) throw new Error("somebody is signed in");
  return { ...who, sessionId: session.id };
}

test("a request that a reset overtakes does nothing", async ({ db, company }) => {
  const { database } = db;
  const owner = await atWork(database, await joinByOperator(database, company.id, awa), company.id);
  const other = await joinByOperator(database, company.id, binta, "preparer");
  await resetPerson(database, now(), awa, by);

  const companyId = company.id;
  const asked = { companyId, by: owner, title: "Loyer", asked: transferOf("rent") };
  const invited = { email: "third@shop.example", companyId, role: "reader" } as const;
  const change = { companyId, personId: other.personId, role: "reader" } as const;
  const rule = { rule: "alone_max", amount: 5_000 } as const;
  const signals = new Signals(db.url, database);
  const hook = { topic: "transactions/completed", url: "https://shop.example/late" } as const;
  for (const late of [
    () => propose(deskOf(database), asked),
    () => invite(database, now(), invited, owner),
    () => changeRole(database, now(), change, owner),
    () => removeMember(database, companyId, other.personId, owner),
    () => askForRule(database, now(), companyId, rule, owner),
    () => createKey(database, signals, box, now(), { companyId, name: "late" }, owner, 10),
    () => database.transaction((tx) => registerWebhook(tx, companyId, hook, 10, owner)),
  ])
    await expect(late()).rejects.toThrow(NotPermitted);
});

test("a payment that is being asked for while its maker is reset ends with the rest", async ({
  db,
  company,
}) => {
  const { database } = db;
  await joinByOperator(database, company.id, awa);
  const there = database.fork();
  const preparer = await joinByOperator(database, company.id, binta, "preparer");
  const who = await atWork(database, preparer, company.id);
  let reset: Promise<unknown> = Promise.resolve();
  let isOver = false;
  const made = await propose(deskOf(database), {
    companyId: company.id,
    by: who,
    title: "Loyer",
    asked: transferOf("rent"),
    within: async () => {
      reset = resetPerson(there, now(), binta, by).finally(() => {
        isOver = true;
      });
      await expect.poll(async () => isOver || (await waitingForLocks(there)) > 0).toBe(true);
    },
  });
  await reset;

  expect(await getProposal(database, company.id, made.id)).toMatchObject({ state: "withdrawn" });
  await there.close();
});

async function waitingForLocks(database: Database): Promise<number> {
  const rows = await database.query({
    text: "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    values: [],
  });
  return rows.length;
}

/** Changes somebody while another transaction is about to do something with what it has read before. */
async function overtake(
  database: Database,
  personId: string,
  change: (tx: Tx) => Promise<unknown>,
  late: () => Promise<unknown>,
): Promise<void> {
  let waiting: Promise<unknown> = Promise.resolve();
  await database.transaction(async (tx) => {
    await lockPerson(tx, personId);
    await change(tx);
    waiting = late();
    await expect.poll(() => waitingForLocks(database)).toBeGreaterThan(0);
  });
  await waiting;
}

test("a password that is taken away while it is looked at lets nobody in", async ({
  db,
  company,
}) => {
  const { database } = db;
  const { personId } = await joinByOperator(database, company.id, awa);
  const password = "long grass by the river";
  const stretched = await hashPassword(password, personId);
  await database.transaction((tx) => updatePassword(tx, personId, stretched));
  const before = (await listSessions(database, personId)).length;

  let answer: unknown;
  await overtake(
    database,
    personId,
    (tx) => updatePassword(tx, personId, null),
    async () => {
      answer = await signIn(database, now(), { email: awa, password }, browser);
    },
  );
  expect(answer).toMatchObject({ kind: "refused" });
  expect(await listSessions(database, personId)).toHaveLength(before);
});

test("a password that is taken away while a new one is stretched stays away", async ({
  db,
  company,
}) => {
  const { database } = db;
  const owner = await atWork(database, await joinByOperator(database, company.id, awa), company.id);
  const { personId } = owner;
  const password = "long grass by the river";
  const before = await hashPassword(password, personId);
  await database.transaction((tx) => updatePassword(tx, personId, before));
  const person = await findPersonByEmail(database, awa);
  if (person === undefined) throw new Error("somebody who joined is there");
  const change = () => changePassword(database, person, { before, password }, "no session", owner);

  // The password was changed elsewhere meanwhile, and this session is still open.
  await database.transaction((tx) => updatePassword(tx, personId, "another"));
  expect(await change()).toBe(false);
  // Reset, which ends the session too.
  await resetPerson(database, now(), awa, by);
  await expect(change()).rejects.toThrow(NotPermitted);
  expect(await findPersonByEmail(database, awa)).toMatchObject({ hasPassword: false });
});

test("a session that is ended before its second step takes none", async ({ db, company }) => {
  const { database } = db;
  const owner = await joinByOperator(database, company.id, binta);
  const who = await joinByOperator(database, company.id, awa, "approver");
  const { sessionToken: token } = await signedIn(database, who, company.id);
  const session = await findSession(database, token);
  if (session === undefined) throw new Error("somebody is signed in");
  const secret = randomBytes(20);
  const codeAt = (at: Date) => totpCodeAt(secret, stepAt(at));
  const earlier = new Date(Date.now() - 30_000);
  await database.transaction((tx) =>
    setSecondFactor(tx, box, earlier, session.person, secret, codeAt(earlier), who),
  );
  await removeMember(database, company.id, who.personId, owner);

  const half = { token, session };
  const proof = async () => ({ kind: "code", code: codeAt(now()) }) as const;
  expect(await confirmSignIn(database, box, now(), half, proof, browser)).toMatchObject({
    kind: "refused",
  });
});
