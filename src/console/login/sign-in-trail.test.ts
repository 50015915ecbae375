import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, onTestFinished } from "vitest";
import { giveAuthenticator } from "../../../test/authenticator.ts";
import { ConsoleClient, type SignedIn, signIn } from "../../../test/console.ts";
import { box, type TestDatabase, test } from "../../../test/fixtures.ts";
import { trailOf } from "../../../test/operators.ts";
import { cookieIn } from "../../../test/passkey-pages.ts";
import { startParts } from "../../app.ts";
import { readConfig } from "../../config.ts";
import { sql } from "../../database/sql.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { hashPassword } from "../../staff/passwords.ts";
import { recordRefusal } from "../../staff/refusals.ts";
import { formTokenOf } from "../../staff/sessions.ts";

const password = "le marché ouvre à sept heures";
const guessed = "une phrase qui n’est pas la bonne";
const nobody = "personne@inconnu.example";

interface LogLine {
  readonly signIn?: string;
  readonly codeRefused?: string;
  readonly factor?: string;
  readonly personId?: string;
  readonly address?: string;
}

/** The service, and every line of its log. */
async function startLogging({ url, database }: TestDatabase) {
  const lines: string[] = [];
  const log = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const config = readConfig({ PORT: "0", EVENT_LOOP_DELAY_MAX_MS: "0", ROLES: "api" });
  const parts = await startParts(config, pino({ level: "trace" }, log), database, url, box);
  onTestFinished(async () => {
    await parts.app.close();
    await parts.stop();
  });
  const signIns = () =>
    lines.map((line) => JSON.parse(line) as LogLine).filter(({ factor }) => factor !== undefined);
  return { service: { app: parts.app }, signIns, said: () => lines.join("") };
}

test("who signs in, and who is refused, is in the trail and in the log, with the address and nothing that was typed", async ({
  db,
  company,
}) => {
  const who = await signIn(db, company.id, "approver");
  const code = await giveAuthenticator(db.database, who);
  const stretched = await hashPassword(password, "a test");
  await db.database.query(sql`
    update people set password = ${stretched} where person_id = ${who.personId}`);
  const { service, signIns, said } = await startLogging(db);
  const door = new ConsoleClient(service, undefined);
  const { email } = who;

  await door.post("/console/login", { email: nobody, password: guessed });
  await door.post("/console/login", { email, password: guessed });
  const half = await door.post("/console/login", { email, password });
  const sessionToken = cookieIn(half, "cauri_console");
  const step = new ConsoleClient(service, withToken(who, sessionToken));
  await step.post("/console/login/code", { code: "000000" });
  const opened = await step.post("/console/login/code", { code: await code() });
  const inside = new ConsoleClient(service, withToken(who, cookieIn(opened, "cauri_console")));
  const current = "000000";
  expect((await inside.post("/console/second-factor", { current, code: current })).status).toBe(
    422,
  );

  const trail = async (action: string) =>
    (await trailOf(db, company.id, action)).map(({ via, by, said: changed }) => ({
      via,
      by: "personId" in by ? by.personId : undefined,
      ...changed,
    }));
  const by = who.personId;
  // Written after the answer, so that its time does not tell whether somebody exists.
  await expect
    .poll(() => trail("person.sign_in_refused"))
    .toEqual([
      { via: "POST /console/login/code", by, factor: "code", count: 1 },
      { via: "POST /console/login", by, factor: "password", count: 1 },
    ]);
  expect(await trail("person.signed_in")).toEqual([
    { via: "POST /console/login/code", by, factor: "code" },
  ]);
  expect(await trail("person.code_refused")).toEqual([
    { via: "POST /console/second-factor", by, factor: "code", count: 1 },
  ]);

  const personId = toPublicId("per", by);
  const address = "127.0.0.1";
  expect(
    signIns().map(({ signIn: kind, codeRefused, factor, personId: id, address: from }) => ({
      kind: kind ?? codeRefused,
      factor,
      id,
      from,
    })),
  ).toEqual([
    { kind: "refused", factor: "password", id: undefined, from: address },
    { kind: "refused", factor: "password", id: personId, from: address },
    { kind: "half", factor: "password", id: personId, from: address },
    { kind: "refused", factor: "code", id: personId, from: address },
    { kind: "session", factor: "code", id: personId, from: address },
    { kind: "POST /console/second-factor", factor: "code", id: personId, from: address },
  ]);
  for (const secret of [nobody, email, password, guessed, sessionToken])
    expect(said()).not.toContain(secret);
});

test("strangers cannot fill the trail: of a day it has twenty refusals of a kind", async ({
  db,
  company,
}) => {
  const who = await signIn(db, company.id, "reader");
  const person = { id: who.personId, email: who.email };
  const by = { personId: who.personId, address: "192.0.2.66", via: "POST /console/login" };
  for (let tries = 0; tries < 25; tries += 1)
    await recordRefusal(db.database, person, by, "person.sign_in_refused", "password");
  await recordRefusal(db.database, person, by, "person.sign_in_refused", "code");

  const kept = await trailOf(db, company.id, "person.sign_in_refused");
  expect(kept.map(({ said: { factor } }) => String(factor)).toSorted()).toEqual([
    "code",
    ...Array<string>(20).fill("password"),
  ]);
});

function withToken(who: SignedIn, sessionToken: string): SignedIn {
  return { ...who, sessionToken, formToken: formTokenOf(sessionToken) };
}
