import type { BrowserContext } from "playwright-core";
import type { Database, Tx } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import type { App } from "../src/http/server.ts";
import { findOrMakePerson, joinCompany } from "../src/staff/people.ts";
import type { CompanyRole } from "../src/staff/roles.ts";
import { formTokenOf, openSession } from "../src/staff/sessions.ts";
import { operator } from "../src/trail/actor.ts";
import { recordForPerson } from "../src/trail/record.ts";
import type { TestDatabase, TestService } from "./fixtures.ts";

let peopleMade = 0;

/** Somebody at a browser of the console. */
export interface SignedIn {
  readonly personId: string;
  readonly email: string;
  readonly sessionToken: string;
  readonly formToken: string;
}

/** A person with a role, signed in with both factors. (The second factor is there and has no codes: nothing asks for one.) */
export async function signIn(
  { database }: Pick<TestDatabase, "database">,
  companyId: string,
  role: CompanyRole,
  email = `person-${(peopleMade += 1)}@shop.example`,
): Promise<SignedIn> {
  const { person, sessionToken } = await database.transaction(async (tx) => {
    const made = await findOrMakePerson(tx, new Date(), email);
    await joinCompany(tx, made, { companyId, role }, operator("a test"));
    await tx.query(sql`
      update people set totp_sealed = coalesce(totp_sealed, '\\x00') where person_id = ${made.id}`);
    await recordForPerson(tx, made.id, operator("a test"), { action: "person.second_factor_set" });
    await recordSignIn(tx, made.id);
    const token = await openSession(tx, new Date(), {
      personId: made.id,
      companyId,
      isOpen: true,
      address: "192.0.2.1",
      device: "a test",
    });
    return { person: made, sessionToken: token };
  });
  return {
    personId: person.id,
    email,
    sessionToken,
    formToken: formTokenOf(sessionToken, companyId),
  };
}

/** An operator, who works for no company, signed in with both factors. */
export async function signInOperator(
  { database }: Pick<TestDatabase, "database">,
  email = `operator-${(peopleMade += 1)}@operator.example`,
): Promise<SignedIn> {
  const { personId, sessionToken } = await database.transaction(async (tx) => {
    const { id } = await findOrMakePerson(tx, new Date(), email);
    await tx.query(sql`
      update people set is_operator = true, totp_sealed = coalesce(totp_sealed, '\\x00') where person_id = ${id}`);
    const joined = { action: "person.joined", to: { link: "operate" } } as const;
    await recordForPerson(tx, id, operator("a test"), joined);
    await recordForPerson(tx, id, operator("a test"), { action: "person.second_factor_set" });
    await recordSignIn(tx, id);
    const place = { address: "192.0.2.1", device: "a test" };
    const session = { personId: id, companyId: null, isOpen: true, ...place };
    return { personId: id, sessionToken: await openSession(tx, new Date(), session) };
  });
  return { personId, email, sessionToken, formToken: formTokenOf(sessionToken) };
}

/** As whoever signs in leaves it. */
function recordSignIn(tx: Tx, personId: string): Promise<void> {
  const by = { personId, address: "192.0.2.1", via: "a test" };
  return recordForPerson(tx, personId, by, { action: "person.signed_in", to: { factor: "code" } });
}

/** A page as text, and what came with it. */
export interface PageAnswer {
  readonly status: number;
  readonly text: string;
  /** Where a redirect leads. */
  readonly location: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** What a signed-in person's browser does without one: pages, and forms with their token. */
export class ConsoleClient {
  readonly #app: App;
  readonly #who: SignedIn | undefined;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    { app }: Pick<TestService, "app">,
    who: SignedIn | undefined,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.#app = app;
    this.#who = who;
    this.#headers = headers;
  }

  get(path: string): Promise<PageAnswer> {
    return this.#send("GET", path, undefined);
  }

  /** Sends a form; its token is the session's own unless another is given. */
  post(path: string, fields: Readonly<Record<string, string>> = {}): Promise<PageAnswer> {
    const body = new URLSearchParams({ token: this.#who?.formToken ?? "", ...fields });
    return this.#send("POST", path, body.toString());
  }

  async #send(
    method: "GET" | "POST",
    url: string,
    payload: string | undefined,
  ): Promise<PageAnswer> {
    const answer = await this.#app.inject({
      method,
      url,
      headers: {
        "accept-language": "fr",
        ...(this.#who === undefined ? {} : { cookie: `cauri_console=${this.#who.sessionToken}` }),
        ...(payload === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
        ...this.#headers,
      },
      ...(payload === undefined ? {} : { payload }),
    });
    return {
      status: answer.statusCode,
      text: answer.body,
      location: answer.headers.location ?? "",
      headers: answer.headers,
    };
  }
}

/** Signs the browser of a journey in. */
export async function keepSignedIn(
  context: BrowserContext,
  serviceUrl: string,
  { sessionToken }: SignedIn,
): Promise<void> {
  await context.addCookies([
    { name: "cauri_console", value: sessionToken, url: `${serviceUrl}/console` },
  ]);
}

/** As if nobody had touched it for so long. */
export async function letIdle(
  database: Database,
  { personId }: SignedIn,
  minutes: number,
): Promise<void> {
  await database.query(sql`
    update staff_sessions set seen_at = now() - make_interval(mins => ${minutes}) where person_id = ${personId}`);
}
