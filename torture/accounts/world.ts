import { randomBytes } from "node:crypto";
import { createCompany } from "../../src/companies/create-company.ts";
import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { newUuid } from "../../src/kernel/ids.ts";
import { type SecretBox, secretBox } from "../../src/kernel/secret-box.ts";
import { hashSessionToken } from "../../src/staff/sessions.ts";
import type { Adapter, Answer, At, Held } from "./adapter.ts";
import { addresses, companies, type Human, humans } from "./cast.ts";
import { stretchCheaply } from "./cheap-password.ts";
import { addSession } from "./sign-in.ts";
import { accountOf, firstState, type State } from "./state.ts";

/** Each code of an app is good once: the next one is asked for half a minute later. */
const stepMs = 30_000;
const fund = 100_000_000;

/** A password that somebody has chosen, and may try wherever it could fit. */
export interface KnownPassword {
  readonly human: Human;
  readonly address: number;
  readonly text: string;
  readonly stretched: string;
}

/** The installation as one sequence sees it: two companies and eight addresses that no other sequence knows. */
export class World {
  readonly adapter: Adapter;
  readonly emails: readonly string[];
  readonly companyIds: readonly string[];
  readonly passwords: KnownPassword[] = [];
  /** What was done so far, in words. */
  readonly story: string[] = [];
  tried = 0;
  /** How often each was done. */
  readonly done = new Map<string, number>();
  readonly #address: string;
  #now: number;
  #node = 0;

  private constructor(
    adapter: Adapter,
    number: number,
    companyIds: readonly string[],
    now: number,
  ) {
    this.adapter = adapter;
    this.emails = addresses.map(({ name }) => `${name}@${number}.example`);
    this.companyIds = companyIds;
    this.#address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
    this.#now = now;
  }

  static async open(
    adapter: Adapter,
    database: Database,
    box: SecretBox,
    number: number,
  ): Promise<{ readonly world: World; readonly state: State }> {
    const made = [];
    for (const name of companies) made.push(await createCompany(database, box, { name, fund }));
    const companyIds = made.map(({ company }) => company.id);
    const world = new World(adapter, number, companyIds, Date.now());
    const state = firstState();
    await world.#settleIn(database, box, state);
    return { world, state };
  }

  /** The people there are from the beginning, with a password and a second factor, and what they are members of. */
  async #settleIn(database: Database, box: SecretBox, state: State): Promise<void> {
    const sealing = secretBox(box.deriveKey("second factor"));
    const people = addresses.flatMap(({ isKnown, human, roles, isOperator = false }, address) => {
      if (!isKnown) return [];
      const id = newUuid(this.#now);
      const secret = randomBytes(20);
      const { text, stretched } = this.choosePassword(human, address);
      const factor = { holder: human, secret: secret.toString("hex") };
      Object.assign(accountOf(state, address), { password: text, stretched, factor });
      const sealed = sealing.seal(secret.toString("base64"), `person ${id}`);
      const email = this.emails[address] ?? "";
      return [{ id, address, human, email, stretched, sealed, isOperator, roles }];
    });
    await database.query(sql`
      insert into people (person_id, email, password, totp_sealed, is_operator)
      select * from unnest(${people.map(({ id }) => id)}::uuid[], ${people.map(({ email }) => email)}::text[],
        ${people.map(({ stretched }) => stretched)}::text[], ${people.map(({ sealed }) => sealed)}::bytea[],
        ${people.map(({ isOperator }) => isOperator)}::boolean[])`);
    const members = people.flatMap(({ id, roles }) =>
      Object.entries(roles).map(([company, role]) => ({
        companyId: this.companyIds[Number(company)] ?? "",
        id,
        role,
      })),
    );
    await database.query(sql`
      insert into memberships (company_id, person_id, role)
      select * from unnest(${members.map(({ companyId }) => companyId)}::uuid[],
        ${members.map(({ id }) => id)}::uuid[], ${members.map(({ role }) => role)}::staff_role[])`);
    // Everybody is at work already: signing in is one of the things that are tried.
    const sessions = people.map(({ id, address, human, roles }) => {
      const token = randomBytes(32).toString("base64url");
      addSession(state, token, address, human, true);
      const [first] = Object.keys(roles);
      const companyId = first === undefined ? null : (this.companyIds[Number(first)] ?? null);
      return { hash: hashSessionToken(token), sessionId: newUuid(this.#now), id, companyId };
    });
    await database.query(sql`
      insert into staff_sessions (token_hash, session_id, person_id, company_id, is_open, address, device, proved_at)
      select x.hash, x.session, x.person, x.company, true, ${this.#address}, 'model', now()
      from unnest(${sessions.map(({ hash }) => hash)}::bytea[], ${sessions.map(({ sessionId }) => sessionId)}::uuid[],
        ${sessions.map(({ id }) => id)}::uuid[], ${sessions.map(({ companyId }) => companyId)}::uuid[])
        as x (hash, session, person, company)`);
  }

  choosePassword(human: Human, address: number): KnownPassword {
    const text = `${humans[human] ?? ""} chose number ${this.passwords.length}`;
    const password = { human, address, text, stretched: stretchCheaply(text) };
    this.passwords.push(password);
    return password;
  }

  /** The next moment, on the other node. */
  next(): At {
    this.#now += stepMs;
    this.#node += 1;
    return { node: this.#node, now: new Date(this.#now), address: this.#address };
  }

  look(): Promise<Held> {
    return this.adapter.look(this.next(), this.emails, this.companyIds);
  }

  say(kind: string, words: string, answer: Answer): void {
    this.tried += 1;
    if (answer.isDone) this.done.set(kind, (this.done.get(kind) ?? 0) + 1);
    this.story.push(answer.isDone ? words : `${words} (refused: ${answer.why})`);
  }
}
