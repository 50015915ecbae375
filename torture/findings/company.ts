import type { Site } from "../cost/site.ts";
import type { Page } from "./browser.ts";
import type { Person } from "./person.ts";

/** A company of one finding's own. */
export class Company {
  readonly #site: Site;
  readonly id: string;
  readonly token: string;

  private constructor(site: Site, id: string, token: string) {
    this.#site = site;
    this.id = id;
    this.token = token;
  }

  static async make(site: Site, name: string): Promise<Company> {
    const made = await site.command(["company", "create", name, "--fund", "1000000", "--json"]);
    const { companyId, accessToken } = made as { companyId: string; accessToken: string };
    return new Company(site, companyId, accessToken);
  }

  set(rule: string, value: string): Promise<unknown> {
    return this.#site.command(["company", "set", this.id, rule, value, "--json"]);
  }

  /** Asks the API, with the company's token or another one. */
  async api(method: string, path: string, body?: string, token = this.token): Promise<ApiAnswer> {
    const response = await fetch(this.#site.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, text: await response.text() };
  }

  send(reference: string, amount: number | string, token = this.token): Promise<ApiAnswer> {
    const quoted = JSON.stringify(reference);
    const body = `{"type":"transfer","amount":${amount},"msisdn":"2250700000000","reference":${quoted}}`;
    return this.api("POST", "/v1/transactions", body, token);
  }

  /** What became of a transfer; undefined: there is none. */
  async statusOf(reference: string): Promise<string | undefined> {
    const { text } = await this.api("GET", "/v1/transactions?limit=100");
    const { data } = JSON.parse(text) as { data: { reference: string; status: string }[] };
    return data.find((one) => one.reference === reference)?.status;
  }
}

export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
}

/** Fills the form of a new transfer in, and sends what the review says. Answers where it can be approved. */
export async function propose(person: Person, reference: string, amount: string): Promise<string> {
  const path = "/console/transfers/new";
  const typed = { phone: "+2250700000000", amount, reference, description: "" };
  const review = await person.submit(path, `${path}/review`, typed);
  const { location, status } = await person.browser.submit(review, path, {});
  const [id] = /prop_\w+/.exec(location) ?? [];
  if (id === undefined) throw new Error(`a transfer cannot be asked for: ${status} ${location}`);
  return `/console/approvals/${id}`;
}

/** Tries to approve, also where the page offers no form: with the hash that whoever asked can pass on. */
export async function approve(person: Person, path: string, known: Page): Promise<Page> {
  const page = await person.browser.get(path);
  const fields = [page, known].map((shown) => ({
    hash: /name="hash" value="([0-9a-f]{64})"|\b([0-9a-f]{64})\b/
      .exec(shown.text)
      ?.slice(1)
      .find(Boolean),
    upto: /name="upto" value="([^"]*)"/.exec(shown.text)?.[1],
  }));
  const pick = (name: "hash" | "upto") =>
    fields.find((one) => one[name] !== undefined)?.[name] ?? "";
  const body = { hash: pick("hash"), upto: pick("upto"), code: await person.nextCode() };
  const token = await person.formToken();
  return person.browser.post(
    `${path.split("?", 1)[0]}/approve`,
    new URLSearchParams({ ...body, token }),
  );
}
