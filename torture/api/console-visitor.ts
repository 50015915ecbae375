import type { Database, Tx } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { findOrMakePerson, joinCompany } from "../../src/staff/people.ts";
import type { CompanyRole } from "../../src/staff/roles.ts";
import { formTokenOf, openSession } from "../../src/staff/sessions.ts";
import { stepAt, totpCodeAt } from "../../src/staff/totp.ts";
import { operator } from "../../src/trail/actor.ts";
import { recordForPerson } from "../../src/trail/record.ts";

/** Somebody who is signed in to the console. */
export interface Visitor {
  readonly personId: string;
  readonly sessionToken: string;
  /** What every form of the session carries. */
  readonly formToken: string;
}

/** A person of a company with a role, signed in with both factors. */
export async function signInto(
  database: Database,
  companyId: string,
  role: CompanyRole,
  email: string,
): Promise<Visitor> {
  return database.transaction(async (tx) => {
    const person = await findOrMakePerson(tx, new Date(), email);
    await joinCompany(tx, person, { companyId, role }, operator("torture"));
    // It is there and has no codes: nobody can prove to have it.
    await tx.query(sql`
      update people set totp_sealed = coalesce(totp_sealed, '\\x00') where person_id = ${person.id}`);
    await recordForPerson(tx, person.id, operator("torture"), {
      action: "person.second_factor_set",
    });
    await recordSignIn(tx, person.id);
    const sessionToken = await openSession(tx, new Date(), {
      personId: person.id,
      companyId,
      isOpen: true,
      address: "192.0.2.1",
      device: "torture",
    });
    return { personId: person.id, sessionToken, formToken: formTokenOf(sessionToken, companyId) };
  });
}

/** An operator, who works for no company, signed in with both factors. */
export async function signInOperator(database: Database, email: string): Promise<Visitor> {
  return database.transaction(async (tx) => {
    const person = await findOrMakePerson(tx, new Date(), email);
    await tx.query(sql`
      update people set is_operator = true, totp_sealed = '\\x00' where person_id = ${person.id}`);
    const joined = { action: "person.joined", to: { link: "operate" } } as const;
    await recordForPerson(tx, person.id, operator("torture"), joined);
    await recordForPerson(tx, person.id, operator("torture"), {
      action: "person.second_factor_set",
    });
    await recordSignIn(tx, person.id);
    const sessionToken = await openSession(tx, new Date(), {
      personId: person.id,
      companyId: null,
      isOpen: true,
      address: "192.0.2.1",
      device: "torture",
    });
    return { personId: person.id, sessionToken, formToken: formTokenOf(sessionToken) };
  });
}

/** As whoever signs in leaves it. */
function recordSignIn(tx: Tx, personId: string): Promise<void> {
  const by = { personId, address: "192.0.2.1", via: "torture" };
  return recordForPerson(tx, personId, by, { action: "person.signed_in", to: { factor: "code" } });
}

/** The same with a second factor that works, set up as people do. */
export async function signInWithCodes(
  url: string,
  database: Database,
  companyId: string,
  email: string,
): Promise<Visitor> {
  const visitor = await signInto(database, companyId, "owner", email);
  await database.query(sql`
    update people set totp_sealed = null where person_id = ${visitor.personId}`);
  const address = "/console/second-factor";
  const { text } = await visit(url, { method: "GET", address, by: visitor });
  const [, key = ""] = /class="secret">([^<]+)</.exec(text) ?? [];
  const code = totpCodeAt(fromBase32(key), stepAt(new Date()));
  const { status } = await visit(url, { method: "POST", address, by: visitor, fields: { code } });
  if (status !== 200) throw new Error(`${address}: ${status}`);
  return visitor;
}

export function fromBase32(text: string): Buffer {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = Array.from(text.replaceAll(" ", ""), (letter) =>
    letters.indexOf(letter).toString(2).padStart(5, "0"),
  ).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

export interface Answer {
  readonly status: number;
  readonly location: string;
  /** Without what no two answers share: numbers of incidents, nonces, new names and the time. */
  readonly text: string;
}

export interface Visit {
  readonly method: "GET" | "POST";
  readonly address: string;
  readonly by?: Visitor | undefined;
  /** Of the form; undefined: the visitor's own. */
  readonly formToken?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly file?: { readonly name: string; readonly text: string };
}

const timeoutMs = 30_000;

/** What a browser does: asks for a page, or sends a form with its token. */
export async function visit(url: string, request: Visit): Promise<Answer> {
  const { method, address, by, fields = {}, file } = request;
  const token = request.formToken ?? by?.formToken ?? "";
  const response = await fetch(url + withQuery(request, file === undefined ? {} : { token }), {
    method,
    redirect: "manual",
    headers: {
      "accept-language": "en",
      ...(by === undefined ? {} : { cookie: `cauri_console=${by.sessionToken}` }),
      ...request.headers,
    },
    ...(method === "GET"
      ? {}
      : { body: file === undefined ? formOf(fields, token) : fileOf(file) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  const incident = response.headers.get("x-correlation-id") ?? address;
  return {
    status: response.status,
    location: response.headers.get("location") ?? "",
    text: text
      .replaceAll(incident, "")
      .replaceAll(/nonce(?:="|-)[\w+/=-]+/g, "")
      .replaceAll(/name="form" value="[^"]*"/g, "")
      .replaceAll(/[LV]-\d{4}-\d\d-\d\d-[0-9A-F]{8}/g, "")
      .replaceAll(/\d\d:\d\d/g, ""),
  };
}

function withQuery(
  { method, address, fields = {} }: Visit,
  more: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({ ...(method === "GET" ? fields : {}), ...more }).toString();
  return query === "" ? address : `${address}?${query}`;
}

function formOf(fields: Readonly<Record<string, string>>, token: string): URLSearchParams {
  return new URLSearchParams({ token, ...fields });
}

function fileOf({ name, text }: { readonly name: string; readonly text: string }): FormData {
  const form = new FormData();
  form.set("file", new Blob([text], { type: "text/csv" }), name);
  return form;
}
