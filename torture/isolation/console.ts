import { sql } from "../../src/database/sql.ts";
import { companyRoles, roleMay } from "../../src/staff/roles.ts";
import { type ConsoleKind, type ConsolePage, consolePages } from "../api/console-pages.ts";
import type { ConsoleThings } from "../api/console-things.ts";
import { type Answer, signInto, type Visit, type Visitor, visit } from "../api/console-visitor.ts";
import type { Random } from "../random.ts";
import type { Owner, Party, Stage } from "./parties.ts";

/** A visit to a page of the owner's, and what has to come of it. */
interface Reach {
  readonly what: string;
  readonly request: Visit;
  /** The same with something that nobody has: its answer must be the same. */
  readonly unknown?: { readonly request: Visit; readonly theirs: string; readonly nobodys: string };
  readonly status?: number;
  readonly location?: RegExp;
}

/** Every page and form of the console by whoever may not: from outside, with another's ids, with less of a role, with a stale form. */
export async function attackConsole(
  stage: Stage,
  owner: Owner,
  things: ConsoleThings,
  parties: readonly Party[],
  random: Random,
  findings: Set<string>,
): Promise<number> {
  const secrets = [...owner.secrets, ...Object.values(things.ids)];
  const before = await readTables(stage, owner.id);
  let tries = 0;
  const attempt = async (page: ConsolePage, reach: Reach) => {
    tries += 1;
    const problem = await findProblem(stage.url, reach, secrets);
    if (problem !== undefined)
      findings.add(`${page.method} ${page.path}, ${reach.what}: ${problem}`);
  };
  for (const page of consolePages)
    for (const reach of insideTries(page, things)) await attempt(page, reach);
  for (const party of parties) {
    const email = `${party.name}-${random.integer(0, 2 ** 31)}@other.example`;
    const outsider = await signInto(stage.database, party.id, "owner", email);
    for (const page of consolePages)
      for (const reach of outsideTries(page, things, outsider, random)) await attempt(page, reach);
  }
  for (const [name, rows] of Object.entries(await readTables(stage, owner.id)))
    if (rows !== before[name]) findings.add(`${name} changed by what the console refused`);
  return tries;
}

/** By nobody, by the owner's own people who may not, and with forms that are not theirs. */
function insideTries(page: ConsolePage, { people, ids }: ConsoleThings): Reach[] {
  const asked = (by: Visitor | undefined, more: Partial<Visit> = {}): Visit => ({
    ...requestOf(page, ids, page.ids),
    by,
    ...more,
  });
  const lesser = companyRoles.filter(
    (role) => page.may.length > 0 && !page.may.some((permission) => roleMay(role, permission)),
  );
  const outside = { status: 303, location: /^\/console\/login/ };
  const forgotten = { ...people.owner, sessionToken: "A".repeat(43) };
  const reaches: Reach[] = [
    { what: "without a session", request: asked(undefined), ...outside },
    { what: "with a session that there is not", request: asked(forgotten), ...outside },
    ...lesser.map((role) => ({
      what: `by a ${role}`,
      request: asked(people[role]),
      status: 403,
    })),
  ];
  if (page.method === "GET") return reaches;
  const { formToken } = people.preparer;
  return [
    ...reaches,
    ...["", "x".repeat(43), formToken].map((token) => ({
      what: "with a stale token",
      request: asked(people.owner, { formToken: token }),
      status: 403,
    })),
    {
      what: "from another site",
      request: asked(people.owner, { headers: { origin: "https://evil.example" } }),
      status: 403,
    },
  ];
}

/** By another company's owner, who may everything there. */
function outsideTries(
  page: ConsolePage,
  { ids }: ConsoleThings,
  outsider: Visitor,
  random: Random,
): Reach[] {
  const [, kind] = /\{([\w-]+)\}/.exec(page.path) ?? [];
  const replaced = (kinds: readonly ConsoleKind[], nobody: string) => ({
    ...ids,
    ...Object.fromEntries(kinds.map((one) => [one, nobody])),
  });
  const reach = (
    what: string,
    named: ConsoleKind,
    fields: ConsolePage["ids"],
    status?: number,
  ): Reach => {
    const nobodys = unknownLike(ids[named], random);
    const unknown = { ...requestOf(page, replaced([named], nobodys), fields), by: outsider };
    return {
      what,
      request: { ...requestOf(page, ids, fields), by: outsider },
      unknown: { request: unknown, theirs: ids[named], nobodys },
      ...(status === undefined ? {} : { status }),
    };
  };
  // What is the operator's is refused before anybody looks which id it was asked for.
  const isOperators = page.may.length > 0 && !mayInACompany(page);
  const refused = isOperators ? 403 : 404;
  return [
    ...(kind === undefined
      ? []
      : [reach("another company's id in the address", kind as ConsoleKind, {}, refused)]),
    ...Object.entries(page.ids).map(([name, named]) =>
      reach(`another company's ${name}`, named, { [name]: named }),
    ),
  ];
}

function mayInACompany({ may }: ConsolePage): boolean {
  return companyRoles.some((role) => may.some((permission) => roleMay(role, permission)));
}

function requestOf(
  page: ConsolePage,
  ids: Readonly<Record<string, string>>,
  fields: ConsolePage["ids"],
): Pick<Visit, "method" | "address" | "fields"> {
  return {
    method: page.method,
    address: page.path.replaceAll(/\{([\w-]+)\}/g, (_, kind: string) => ids[kind] ?? ""),
    fields: {
      ...page.fields,
      ...Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, ids[kind] ?? ""])),
    },
  };
}

async function findProblem(
  url: string,
  { request, unknown, status, location }: Reach,
  secrets: readonly string[],
): Promise<string | undefined> {
  const answer = await visit(url, request);
  const told = toldBy(answer, unknown?.theirs ?? request.address);
  const secret = secrets.find((text) => told.includes(text));
  const excerpt = `${answer.status} ${answer.location} ${answer.text.slice(0, 200)}`;
  if (answer.status >= 500) return excerpt;
  // Where somebody is sent on to is an echo of what was asked for.
  if (secret !== undefined && location === undefined) return `tells ${secret}: ${excerpt}`;
  if (status !== undefined && answer.status !== status) return `not ${status}: ${excerpt}`;
  if (location !== undefined && !location.test(answer.location)) return `leads on: ${excerpt}`;
  if (unknown === undefined) return undefined;
  const nothing = await visit(url, unknown.request);
  return nothing.status === answer.status && toldBy(nothing, unknown.nobodys) === told
    ? undefined
    : `differs from what is unknown (${nothing.status} ${nothing.location}): ${excerpt}`;
}

/** An answer without the id that it was asked for. */
function toldBy({ location, text }: Answer, named: string): string {
  return `${location}\n${text}`.replaceAll(named, "…");
}

/** Of the same shape, and nobody's. */
function unknownLike(id: string, random: Random): string {
  return id.replace(/[0-9a-f]{8}$/, () =>
    random
      .integer(0, 2 ** 32)
      .toString(16)
      .padStart(8, "0"),
  );
}

/** What people's doings are kept in, as text: whether anything changed. */
async function readTables(
  { database }: Stage,
  companyId: string,
): Promise<Readonly<Record<string, string>>> {
  const names = [
    "proposals",
    "proposal_states",
    "proposal_parts",
    "approvals",
    "held_decisions",
    "held_transfers",
    "payroll_drafts",
    "memberships",
    "staff_links",
    "access_tokens",
    "webhooks",
    "company_trail",
  ];
  const texts: Record<string, string> = {};
  for (const name of names) {
    // A worker chains the entries of the trail meanwhile, and enters which charges it has bound.
    const isTrail = name === "company_trail";
    const row = isTrail ? "(to_jsonb(t) - 'number' - 'hash')::text" : "t::text";
    const byPeople = isTrail ? "and action <> 'charges.bound'" : "";
    const rows = await database.query<{ rows: string | null }>({
      text: `select md5(string_agg(${row}, ' ' order by ${row})) as rows from ${name} t where company_id = $1 ${byPeople}`,
      values: [companyId],
    });
    texts[name] = rows[0]?.rows ?? "";
  }
  const sessions = await database.query<{ rows: string }>(sql`
    select md5(string_agg(concat(person_id, company_id, is_open), ' ' order by session_id)) as rows
    from staff_sessions where company_id = ${companyId}`);
  const passkeys = await database.query<{ rows: string | null }>(sql`
    select md5(string_agg(k::text, ' ' order by k.passkey_id)) as rows
    from passkeys k join memberships m on m.person_id = k.person_id where m.company_id = ${companyId}`);
  return { ...texts, staff_sessions: sessions[0]?.rows ?? "", passkeys: passkeys[0]?.rows ?? "" };
}
