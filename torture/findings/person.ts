import { setTimeout as sleep } from "node:timers/promises";
import { stepAt, totpCodeAt } from "../../src/staff/totp.ts";
import { fromBase32 } from "../api/console-visitor.ts";
import type { Site } from "../cost/site.ts";
import { Browser, formsOf, type Page } from "./browser.ts";

export const password = "une longue phrase que personne ne devine";

/** Half of a step: whoever takes a code of the step before has as long to send it. */
const youngMs = 15_000;

let people = 0;

/** An address nobody has used yet, and which is in no network of another. */
export function newAddress(): string {
  people += 1;
  return `10.${people}.7.1`;
}

/** Somebody who works with the console, in one browser. */
export class Person {
  readonly email: string;
  readonly browser: Browser;
  #secret: Buffer = Buffer.alloc(0);
  #usedStep = 0;

  constructor(site: Site, email: string) {
    this.email = email;
    this.browser = new Browser(site.url, newAddress());
  }

  /** Uses a link as somebody who chooses a password, whatever else the page offers. */
  async join(link: string): Promise<Page> {
    const page = await this.browser.get(link);
    const form = formsOf(page).find(({ names }) => names.includes("repeat"));
    if (form === undefined) return page;
    return this.browser.send(form, { password, repeat: password });
  }

  /** Uses a link as somebody who has a password already. */
  async joinWithPassword(link: string): Promise<Page> {
    const page = await this.browser.get(link);
    const form = formsOf(page).find(
      ({ action, names }) => action.includes("/join/") && !names.includes("repeat"),
    );
    if (form === undefined) return page;
    return this.browser.send(form, { password, current: password });
  }

  signIn(typed = password): Promise<Page> {
    const fields = { email: this.email, password: typed };
    return this.browser.post("/console/login", new URLSearchParams(fields));
  }

  /** After the password, where a code is asked for. */
  async enterCode(): Promise<void> {
    const path = "/console/login/code";
    const page = await this.browser.get(path);
    if (page.status === 200) await this.browser.submit(page, path, { code: await this.nextCode() });
  }

  async addFactor(): Promise<Page> {
    const path = "/console/second-factor";
    const page = await this.browser.get(path);
    const [, key = ""] = /class="secret">([^<]+)</.exec(page.text) ?? [];
    this.#secret = fromBase32(key);
    return this.browser.submit(page, path, { code: await this.nextCode() });
  }

  /** A code that was not used yet: there is one ahead too, and one behind for as long as this step is young. */
  async nextCode(): Promise<string> {
    while (this.#usedStep > stepAt(new Date())) await sleep(500);
    const least = stepAt(new Date(Date.now() - youngMs));
    this.#usedStep = Math.max(this.#usedStep + 1, least);
    return totpCodeAt(this.#secret, this.#usedStep);
  }

  /** A form of a page that may want a code besides. */
  async submit(path: string, ending: string, fields: Readonly<Record<string, string>>) {
    const page = await this.browser.get(path);
    const form = formsOf(page).find(({ action }) => action.split("?", 1)[0]?.endsWith(ending));
    if (form === undefined) throw new Error(`${path} (${page.status}) has no form for ${ending}`);
    const code = form.names.includes("code") ? { code: await this.nextCode() } : {};
    return this.browser.send(form, { ...fields, ...code });
  }

  /** Past the password, and the code of whoever has a second factor. */
  async isSignedIn(): Promise<boolean> {
    const { status, location } = await this.browser.get("/console");
    return status < 400 && !location.includes("/console/login");
  }

  /** Which the forms of this session carry; of a page that everybody has. */
  async formToken(): Promise<string> {
    for (const path of ["/console/team/account", "/console/second-factor", "/console/companies"]) {
      const token = formsOf(await this.browser.get(path)).find(({ hidden }) => "token" in hidden);
      if (token?.hidden["token"] !== undefined) return token.hidden["token"];
    }
    return "";
  }
}

/** The link that a page or a command shows. */
export function linkOn(text: string): string | undefined {
  return /\/console\/join\/[\w-]+/.exec(text)?.[0];
}

/** Somebody whom the operator invites and who joins, with a second factor. */
export async function employ(
  site: Site,
  companyId: string,
  role: string,
  email: string,
): Promise<Person> {
  const person = new Person(site, email);
  const joined = await person.join(await invitation(site, companyId, role, email));
  if (joined.status !== 303) throw new Error(`${email} cannot join: ${joined.status}`);
  const added = await person.addFactor();
  if (added.status >= 400) throw new Error(`${email} gets no second factor: ${added.status}`);
  return person;
}

/** What the operator prints for somebody. */
export async function invitation(
  site: Site,
  companyId: string,
  role: string,
  email: string,
): Promise<string> {
  const whom = ["staff", "invite", email, "--role", role];
  const company = role === "operator" ? [] : ["--company", companyId];
  const { link } = (await site.command([...whom, ...company, "--json"])) as { link: string };
  return new URL(link).pathname;
}
