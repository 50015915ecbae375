import { expect } from "vitest";
import { ChargeClient, chargeRequest } from "./charges.ts";
import type { TestCompany, TestService } from "./fixtures.ts";

export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}

/** A payment page as a very plain browser uses it: GET, and forms that are posted. */
export class PayPage {
  readonly #service: TestService;
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

  get(query = "", headers: Record<string, string> = {}): Promise<PageAnswer> {
    return visit(this.#service, this.path + query, { headers });
  }

  post(
    action: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<PageAnswer> {
    return submit(this.#service, `${this.path}/${action}`, fields, headers);
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
