import type { Page } from "playwright-core";
import { sql } from "../src/database/sql.ts";
import { api, type Stage } from "./stage.ts";

/** One state of the pages, and how a browser gets there. */
export interface PageState {
  readonly name: string;
  /** The answer to a form: two pages are loaded until it is there. */
  readonly isAnswer?: true;
  open(page: Page, lang: string): Promise<void>;
}

/** Every state there is, each on a charge of its own, so that they can be looked at in any order. */
export async function makePageStates(stage: Stage): Promise<PageState[]> {
  const { rich, poor, other } = stage.people;
  const pay = await makeCharge(stage, "pay");
  const code = await makeCharge(stage, "code");
  const codeSent = cookiesOf(await post(stage, `${code}/code`, { phone: `+${rich}` }));
  const soon = await makeCharge(stage, "soon");
  const askedSoon = cookiesOf(await post(stage, `${soon}/code`, { phone: `+${rich}` }));
  await post(stage, `${soon}/code`, { again: "1" }, askedSoon);
  const wrong = await makeCharge(stage, "wrong");
  const wrongTyped = cookiesOf(await post(stage, `${wrong}/code`, { phone: `+${other}` }));
  await post(stage, `${wrong}/confirm`, { code: "000000" }, wrongTyped);
  const stale = await makeCharge(stage, "stale");
  const tooLate = cookiesOf(await post(stage, `${stale}/code`, { phone: `+${poor}` }));
  await stage.database.query(sql`
    update one_time_codes set sent_at = now() - interval '6 minutes' where msisdn = ${poor}`);
  const failed = await makeCharge(stage, "failed");
  const poorBrowser = await payByCode(stage, failed, poor);
  const paid = await makeCharge(stage, "paid");
  await payByCode(stage, paid, rich);
  const partly = await makeCharge(stage, "partly");
  await payByCode(stage, partly, other);
  await api(stage, `/v1/charges/${await chargeIdOf(stage, "partly")}/refund`, { amount: 10_000 });
  const refunded = await makeCharge(stage, "refunded");
  await payByCode(stage, refunded, "2250700000000");
  await api(stage, `/v1/charges/${await chargeIdOf(stage, "refunded")}/refund`, {});
  const canceled = await makeCharge(stage, "canceled");
  await post(stage, `${canceled}/cancel`, {});
  const expired = await makeCharge(stage, "expired");
  await stage.database.query(sql`
    update charges set expires_at = now() - interval '1 second' where external_id = 'expired'`);
  const waiting = await post(stage, "/wallet/code", { phone: `+${other}` });
  const signedIn = await signIn(stage, rich);
  // As long a wait as it takes to look at all of them.
  await stage.database.query(sql`
    update one_time_codes set sent_at = now() + interval '1 hour'
    where purpose = 'wallet' or purpose like ${`%${await chargeIdOf(stage, "soon")}`}`);
  await stage.database.query(sql`
    update checkout_browsers set notice_until = now() + interval '1 hour' where notice = 'pause'`);
  const isAnswer = true;
  const wallet = (cookies: string) => opener(stage, "/wallet", cookies);
  return [
    { name: "pay", open: opener(stage, pay) },
    { name: "pay-phone-wrong", isAnswer, open: typePhone(stage, pay, "77 123") },
    { name: "pay-no-account", isAnswer, open: typePhone(stage, pay, "+228 90 90 90 90") },
    { name: "pay-phone-completed", isAnswer, open: typePhone(stage, pay, "77 123 45 67") },
    { name: "cancel", open: opener(stage, `${pay}?cancel=1`) },
    { name: "code", open: opener(stage, code, codeSent) },
    { name: "code-wrong", open: opener(stage, wrong, wrongTyped) },
    { name: "code-too-soon", open: opener(stage, soon, askedSoon) },
    { name: "code-too-old", open: opener(stage, stale, tooLate) },
    { name: "failed", open: opener(stage, failed, poorBrowser) },
    { name: "paid", open: opener(stage, paid) },
    { name: "refunded-partly", open: opener(stage, partly) },
    { name: "refunded", open: opener(stage, refunded) },
    { name: "canceled", open: opener(stage, canceled) },
    { name: "expired", open: opener(stage, expired) },
    { name: "checking", open: opener(stage, `${pay}?checking=1`) },
    { name: "unknown-link", open: opener(stage, "/pay/nothing") },
    { name: "not-found", open: opener(stage, "/nothing") },
    { name: "home", open: opener(stage, "/") },
    { name: "guide", open: opener(stage, "/guide") },
    { name: "verify", open: opener(stage, "/verify") },
    { name: "verified", isAnswer, open: sendStatement(stage, (bytes) => bytes) },
    {
      name: "not-verified",
      isAnswer,
      open: sendStatement(stage, (bytes) => bytes.fill("7", 900, 901)),
    },
    { name: "wallet-sign-in", open: wallet("") },
    { name: "wallet-code", open: wallet(cookiesOf(waiting)) },
    { name: "wallet-code-too-soon", open: opener(stage, "/wallet?soon=1", cookiesOf(waiting)) },
    { name: "wallet", open: wallet(signedIn) },
  ];
}

/** Has the company's statement verified, as it was exported or changed. */
function sendStatement(stage: Stage, change: (bytes: Buffer) => Buffer): PageState["open"] {
  return async (page, lang) => {
    const response = await fetch(`${stage.url}/v1/statement.csv`, {
      headers: { authorization: `Bearer ${stage.accessToken}` },
    });
    const buffer = change(Buffer.from(await response.arrayBuffer()));
    await opener(stage, "/verify")(page, lang);
    await page.locator("#file").setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer });
    await page.locator("form button").click();
    await page.locator("[role=status], [role=alert]").waitFor();
  };
}

export function opener(stage: Stage, path: string, cookies = ""): PageState["open"] {
  return async (page, lang) => {
    const pairs = cookies.split("; ").filter((pair) => pair !== "");
    await page.context().clearCookies();
    await page.context().addCookies(
      pairs.map((pair) => {
        const [name = "", value = ""] = pair.split("=");
        return { name, value, domain: new URL(stage.url).hostname, path: "/" };
      }),
    );
    await page.goto(`${stage.url}${path}${path.includes("?") ? "&" : "?"}lang=${lang}`);
  };
}

/** States that only the one sees who typed this. */
function typePhone(stage: Stage, path: string, typed: string): PageState["open"] {
  return async (page, lang) => {
    // However often it is looked at, the link may still be used.
    await stage.database.query(sql`update checkouts set sends = 0`);
    await opener(stage, path)(page, lang);
    await page.locator("#phone").fill(typed);
    await page.locator("#phone ~ button").click();
    await page.locator("#phone-problem, .number").waitFor();
  };
}

/** A charge of its own for one state; returns the path of its page. */
export async function makeCharge(stage: Stage, externalId: string): Promise<string> {
  const charge = await api(stage, "/v1/charges", {
    amount: 25_000,
    externalId,
    description: "Commande 417 : deux boubous brodés, livraison à Dakar",
    subCompanyId: stage.subCompanyId,
    onCompletedRedirectionUrl: "https://boutique-awa.example/merci",
    onCanceledRedirectionUrl: "https://boutique-awa.example/panier",
  });
  return new URL(String(charge["paymentUrl"])).pathname;
}

async function chargeIdOf(stage: Stage, externalId: string): Promise<string> {
  const rows = await stage.database.query<{ id: string }>(sql`
    select id from charges where external_id = ${externalId}`);
  return rows[0]?.id ?? "";
}

/** Returns the cookies of the browser that did. */
async function payByCode(stage: Stage, path: string, msisdn: string): Promise<string> {
  const asked = cookiesOf(await post(stage, `${path}/code`, { phone: `+${msisdn}` }));
  await post(stage, `${path}/confirm`, { code: await shownCode(stage, path, asked) }, asked);
  return asked;
}

async function signIn(stage: Stage, msisdn: string): Promise<string> {
  const asked = cookiesOf(await post(stage, "/wallet/code", { phone: `+${msisdn}` }));
  const code = await shownCode(stage, "/wallet", asked);
  const signedIn = await post(stage, "/wallet/confirm", { code }, asked);
  return cookiesOf(signedIn);
}

/** Staging shows the code on the page. */
async function shownCode(stage: Stage, path: string, cookie = ""): Promise<string> {
  const html = await (await fetch(stage.url + path, { headers: { cookie } })).text();
  const code = /<b>(\d{6})<\/b>/.exec(html)?.[1];
  if (code === undefined) throw new Error(`no code is shown on ${path}`);
  return code;
}

async function post(
  stage: Stage,
  path: string,
  fields: Record<string, string>,
  cookie = "",
): Promise<Response> {
  const response = await fetch(stage.url + path, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { cookie },
    redirect: "manual",
  });
  if (response.status !== 303) throw new Error(`POST ${path} was answered ${response.status}`);
  return response;
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .filter((cookie) => !cookie.includes("Max-Age=0"))
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}
