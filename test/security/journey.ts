import { expect } from "vitest";
import { runCommand } from "../process.ts";
import { patience, type Receiver } from "../receiver.ts";

/** Everything that may be written down nowhere, by what it is. */
export type Secrets = Map<string, string>;

export interface Journey {
  readonly dataDir: string;
  readonly environment: Record<string, string>;
  /** Where messages to phones arrive. */
  readonly gateway: Receiver;
  /** Where notifications arrive. */
  readonly shop: Receiver;
  readonly secrets: Secrets;
  /** What commands said beside their answer. */
  said: string;
}

/** Runs a command whose answer is JSON. The answer is the operator's; what else it says is output like any other. */
export async function command(journey: Journey, ...args: string[]) {
  const result = await runCommand(journey.dataDir, [...args, "--json"], journey.environment);
  expect(result.code, result.stderr).toBe(0);
  journey.said += result.stderr;
  return JSON.parse(result.stdout);
}

/** Sends something in an honest way, and what it is told. */
export async function send(
  url: string,
  method: string,
  path: string,
  options: { readonly token?: string; readonly body?: unknown; readonly cookie?: string } = {},
) {
  const isForm = options.body instanceof URLSearchParams;
  const response = await fetch(url + path, {
    method,
    redirect: "manual",
    headers: {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(options.cookie === undefined ? {} : { cookie: options.cookie }),
      ...(options.body === undefined || isForm ? {} : { "content-type": "application/json" }),
    },
    ...(options.body === undefined
      ? {}
      : {
          body:
            options.body instanceof URLSearchParams ? options.body : JSON.stringify(options.body),
        }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  return {
    status: response.status,
    cookies: response.headers.getSetCookie(),
    body: isJson && text !== "" ? JSON.parse(text) : text,
  };
}

/** The code of the newest message, which is a secret from now on. */
async function codeOf({ gateway, secrets }: Journey, messages: number): Promise<string> {
  const received = await gateway.until(messages);
  const [code = ""] = /\b\d{6}\b/.exec(received.at(-1)?.body.text) ?? [];
  secrets.set(`code ${messages}`, code);
  return code;
}

function cookiesIn(cookies: readonly string[]): string {
  return cookies.map((cookie) => cookie.split(";")[0] ?? "").join("; ");
}

/** Buys something on the payment page, with a wrong code first. */
export async function payOnPage(
  journey: Journey,
  url: string,
  token: string,
  phone: string,
): Promise<void> {
  const charge = await send(url, "POST", "/v1/charges", {
    token,
    body: {
      amount: 5_000,
      externalId: "order",
      description: "Order",
      onCanceledRedirectionUrl: `${journey.shop.url}/cart`,
      onCompletedRedirectionUrl: `${journey.shop.url}/thanks`,
    },
  });
  expect(charge.status).toBe(201);
  const { pathname } = new URL(charge.body.paymentUrl);
  journey.secrets.set("payment link", pathname.split("/")[2] ?? "");
  await send(url, "GET", pathname);
  const form = (fields: Record<string, string>) => ({ body: new URLSearchParams(fields) });
  const asked = await send(url, "POST", `${pathname}/code`, form({ phone: `+${phone}` }));
  expect(asked.status).toBe(303);
  const cookie = cookiesIn(asked.cookies);
  journey.secrets.set("browser", cookie.split("=")[1] ?? "");
  const code = await codeOf(journey, 1);
  const wrong = ((Number(code) + 1) % 1_000_000).toString().padStart(6, "0");
  journey.secrets.set("wrong code", wrong);
  await send(url, "POST", `${pathname}/confirm`, { ...form({ code: wrong }), cookie });
  await send(url, "GET", pathname, { cookie });
  await send(url, "POST", `${pathname}/confirm`, { ...form({ code }), cookie });

  const paid = await send(url, "GET", `/v1/charges/${charge.body.id}`, { token });
  expect(paid.body.status).toBe("paid");
  const refund = await send(url, "POST", `/v1/charges/${charge.body.id}/refund`, { token });
  expect(refund.status).toBe(200);
}

/** Signs in to the wallet, reads it and leaves. */
export async function visitWallet(journey: Journey, url: string, phone: string): Promise<void> {
  const form = (fields: Record<string, string>) => new URLSearchParams(fields);
  const asked = await send(url, "POST", "/wallet/code", { body: form({ phone: `+${phone}` }) });
  expect(asked.status).toBe(303);
  const cookie = cookiesIn(asked.cookies);
  const code = await codeOf(journey, 2);
  const entered = await send(url, "POST", "/wallet/confirm", { body: form({ code }), cookie });
  const session = entered.cookies.find((one) => one.startsWith("cauri_wallet="))?.split(";")[0];
  expect(session).toBeDefined();
  journey.secrets.set("wallet session", session?.split("=")[1] ?? "");
  const page = await send(url, "GET", "/wallet", { cookie: session ?? "" });
  expect(page.status).toBe(200);
  await send(url, "POST", "/wallet/leave", { cookie: session ?? "" });
}

export async function untilPaidOut(url: string, token: string): Promise<void> {
  await expect
    .poll(
      async () =>
        (await send(url, "GET", "/v1/transactions?status=pending", { token })).body.count as number,
      patience,
    )
    .toBe(0);
}
