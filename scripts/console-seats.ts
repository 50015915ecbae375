import { randomBytes } from "node:crypto";
import { sql } from "../src/database/sql.ts";
import type { SecretBox } from "../src/kernel/secret-box.ts";
import { findOrMakePerson, joinCompany } from "../src/staff/people.ts";
import type { CompanyRole } from "../src/staff/roles.ts";
import { setSecondFactor } from "../src/staff/second-factor.ts";
import { formTokenOf, openSession } from "../src/staff/sessions.ts";
import { stepAt, totpCodeAt } from "../src/staff/totp.ts";
import { operator } from "../src/trail/actor.ts";
import { opener, type PageState } from "./page-states.ts";
import type { Stage } from "./stage.ts";

/** A stage whose company has a console. */
export interface ConsoleStage extends Stage {
  readonly companyId: string;
  readonly box: SecretBox;
}

/** Somebody at the console, signed in. */
export interface Seat {
  readonly cookies: string;
  readonly formToken: string;
  /** What the person's authenticator app shows, good once. */
  code(): Promise<string>;
  /** As if the person had just shown a code: a form is not refused because the pages before it took minutes. */
  prove(): Promise<void>;
}

export async function takeSeat(
  { database, box, companyId }: ConsoleStage,
  email: string,
  role: CompanyRole,
): Promise<Seat> {
  const now = new Date();
  const secret = randomBytes(20);
  return database.transaction(async (tx) => {
    const person = await findOrMakePerson(tx, now, email);
    await joinCompany(tx, person, { companyId, role }, operator("cauri staff invite"));
    const by = { personId: person.id, address: "192.0.2.17", via: "POST /console/second-factor" };
    const code = totpCodeAt(secret, stepAt(now));
    await setSecondFactor(tx, box, now, person, secret, code, by);
    const token = await openSession(tx, now, {
      personId: person.id,
      companyId,
      isOpen: true,
      address: "192.0.2.17",
      device: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    });
    return {
      cookies: `cauri_console=${token}`,
      formToken: formTokenOf(token, companyId),
      async code() {
        await database.query(sql`update people set totp_step = 0 where person_id = ${person.id}`);
        return totpCodeAt(secret, stepAt(new Date()));
      },
      async prove() {
        await database.query(sql`
          update staff_sessions set proved_at = now() where person_id = ${person.id}`);
      },
    };
  });
}

/** An operator, who works for no company. */
export async function takeOperatorSeat(stage: ConsoleStage, email: string): Promise<Seat> {
  const seat = await takeSeat(stage, email, "reader");
  await stage.database.query(sql`
    update people set is_operator = true where email = ${email}`);
  await stage.database.query(sql`
    delete from memberships where person_id in (select person_id from people where email = ${email})`);
  await stage.database.query(sql`
    update staff_sessions set company_id = null
    where person_id in (select person_id from people where email = ${email})`);
  // The forms of the operator's pages name no company.
  const [formToken = ""] = seat.formToken.split(".", 1);
  return { ...seat, formToken };
}

/** A page of the console as that person sees it. */
export async function readPage({ url }: Stage, seat: Seat, path: string): Promise<string> {
  const response = await fetch(url + path, { headers: { cookie: seat.cookies } });
  if (!response.ok) throw new Error(`GET ${path} was answered ${response.status}`);
  return response.text();
}

/** Sends a form or a file; answers the path that it leads to. */
export async function sendForm(
  { url }: Stage,
  seat: Seat,
  path: string,
  body: URLSearchParams | FormData,
): Promise<string> {
  const token = encodeURIComponent(seat.formToken);
  const isFile = body instanceof FormData;
  await seat.prove();
  if (!isFile) body.set("token", seat.formToken);
  const response = await fetch(`${url}${path}${isFile ? `?token=${token}` : ""}`, {
    method: "POST",
    body,
    headers: { cookie: seat.cookies },
    redirect: "manual",
  });
  if (response.status !== 303) throw new Error(`POST ${path} was answered ${response.status}`);
  return response.headers.get("location") ?? "";
}

/** What a form of a page carries along unseen. */
export function hiddenIn(html: string, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [name, new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ""]),
  );
}

/** Opens a page whose form is sent next: the answer has the language that the person chose, not that of the address. */
export function formOpener(stage: Stage, path: string, seat: Seat): PageState["open"] {
  return async (page, lang) => {
    await sendForm(stage, seat, "/console/language", new URLSearchParams({ lang }));
    await opener(stage, path, seat.cookies)(page, lang);
  };
}
