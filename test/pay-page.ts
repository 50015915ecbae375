import { expect } from "vitest";
import { ChargeClient, chargeRequest } from "./charges.ts";
import type { TestCompany, TestService } from "./fixtures.ts";

export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}

/** A payment page as a very plain browser uses it: GET, forms that are posted, and one cookie that is sent back. */
export class PayPage {
  readonly #service: TestService;
  #cookie = "";
  readonly path: string;
  readonly chargeId: string;

  constructor(service: TestService, path: string, chargeId = "") {
    this.#service = service;
    this.path = path;
    this.chargeId = chargeId;
  }

  /** The page of a charge that is made for it. */
  static async make(
    service: TestService,
    company: TestCompany,
    changes: object = {},
  ): Promise<PayPage> {
    const externalId = `order ${Math.random()}`;
    const { status, body } = await new ChargeClient(service, company).create({
      ...chargeRequest,
      externalId,
      ...changes,
    });
    expect(status, JSON.stringify(body)).toBe(201);
    return new PayPage(service, new URL(body.paymentUrl).pathname, body.id);
  }

  /** The same page in another browser, or on another node. */
  elsewhere(service = this.#service): PayPage {
    return new PayPage(service, this.path, this.chargeId);
  }

  async get(query = "", headers: Record<string, string> = {}): Promise<PageAnswer> {
    const answer = await visit(this.#service, this.path + query, {
      headers: { cookie: this.#cookie, ...headers },
    });
    this.#cookie = cookiesOf(answer, this.#cookie);
    return answer;
  }

  async post(
    action: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<PageAnswer> {
    const answer = await submit(this.#service, `${this.path}/${action}`, fields, {
      cookie: this.#cookie,
      ...headers,
    });
    this.#cookie = cookiesOf(answer, this.#cookie);
    return answer;
  }

  /** Asks for a code and reads it off the page, as only staging allows. */
  async codeFor(phone: string): Promise<string> {
    const { status } = await this.post("code", { phone });
    expect(status).toBe(303);
    const code = /<b>(\d{6})<\/b>/.exec((await this.get()).html)?.[1];
    expect(code).toBeDefined();
    return code ?? "";
  }
}

/** One request, no redirect followed. */
export async function visit(
  service: TestService,
  path: string,
  init: RequestInit = {},
): Promise<PageAnswer> {
  const response = await fetch(service.url + path, { redirect: "manual", ...init });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** What a browser sends back of the cookies it was given, with those that it had before. */
export function cookiesOf({ headers }: Pick<PageAnswer, "headers">, before = ""): string {
  const pairs = new Map(before.split("; ").map((pair) => [pair.split("=", 1)[0], pair]));
  for (const cookie of headers.getSetCookie()) {
    const [pair = ""] = cookie.split(";", 1);
    const [name = ""] = pair.split("=", 1);
    if (cookie.includes("Max-Age=0")) pairs.delete(name);
    else pairs.set(name, pair);
  }
  pairs.delete("");
  return [...pairs.values()].join("; ");
}

export function submit(
  service: TestService,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<PageAnswer> {
  return visit(service, path, { method: "POST", body: new URLSearchParams(fields), headers });
}

/** The text of a page, for what is said and not how. */
export function textOf(html: string): string {
  return html
    .replaceAll("<wbr/>", "")
    .replaceAll(/<(style|script|svg)\b.*?<\/\1>/gs, " ")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ");
}
