import type { FastifyReply, FastifyRequest } from "fastify";
import { cancelCharge } from "../charges/cancel-charge.ts";
import { type Charge, chargeCan } from "../charges/charge.ts";
import type { PaymentLinks } from "../charges/payment-links.ts";
import { codeLifetimeSeconds } from "../customers/one-time-code.ts";
import { OutcomeUnknown } from "../database/errors.ts";
import type { App } from "../http/server.ts";
import type { Clock } from "../kernel/clock.ts";
import { networkOf } from "../kernel/network-of.ts";
import { readPhone } from "../kernel/read-phone.ts";
import { plainName } from "../messages/plain-name.ts";
import { fieldOf } from "../pages/form.ts";
import { clip, formatAmount, formatDuration } from "../pages/format.ts";
import { type PageSettings } from "../pages/page-settings.ts";
import { hemIn, redirect } from "../pages/send-page.ts";
import { askedWithoutCookie, browserOf, keepBrowser, refusesCookies } from "./browser.ts";
import { isWaitingForCode } from "./checkout.ts";
import { confirmCode } from "./confirm-code.ts";
import type { Merchants } from "./find-merchant.ts";
import { type FoundCheckout, findCheckout, findStanding, type Till } from "./find-standing.ts";
import { phoneExampleOf, toMessageText } from "./format.ts";
import { frameOf, pageBytesMax, sendFramed } from "./frame-of.ts";
import { screenOf } from "./pay-screens.tsx";
import { sendProblem } from "./problems.tsx";
import { readCode } from "./read-code.ts";
import { sendCode } from "./send-code.ts";
import { type CheckoutKey, clearPhone } from "./store.ts";
import { CodePage } from "./views/code-page.tsx";
import { CompletedPhonePage } from "./views/completed-phone.tsx";
import type { Frame } from "./views/frame.ts";
import { PayPage } from "./views/pay-page.tsx";
import type { Payment } from "./views/payment.tsx";
import { ProblemPage } from "./views/problem-page.tsx";
import type { Words } from "./words/fr.ts";

export interface PayRoutesOptions {
  readonly settings: PageSettings;
  readonly till: Till;
  readonly clock: Clock;
  readonly links: PaymentLinks;
  readonly merchants: Merchants;
  /** Answers a link that was used in too many browsers. */
  readonly refuseBrowser: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
  /** Answers a link that leads nowhere. */
  readonly refuseLink: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

/** A request whose link is good, with everything that its answer is made of. */
interface Visit extends FoundCheckout {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly key: CheckoutKey;
  readonly payment: Payment;
}

const hidden = { schema: { hide: true } };
/** A message names the company, which the operator named: what a company calls its sub-companies nobody has seen. */
const nameInMessageMax = 40;
const logoMaxAgeSeconds = 3_600;
/**
 * What the logo and the merchant's texts may weigh together: the limit of a page, less what it weighs without them.
 */
const logoAndTextBytesMax = pageBytesMax - 4 * 1_024;

/**
 * /pay/<token> shows a charge in every state. The actions have addresses below it, and all of them redirect back to
 * it.
 */
export function payRoutes(app: App, options: PayRoutesOptions): void {
  const { settings, till, merchants } = options;
  const { database } = till.payments;
  const visits = visitor(options);

  app.get("/pay/:token", hidden, visits(showPage));
  app.get("/pay/:token/logo", hidden, visits(sendLogo));
  for (const [action, act] of Object.entries({ code, confirm, cancel, change })) {
    app.post(`/pay/:token/${action}`, hidden, visits(act));
    // A reload of an action's address is a GET: it shows the page that the action belongs to.
    app.get(`/pay/:token/${action}`, hidden, visits(backToPage));
  }

  async function showPage(visit: Visit): Promise<FastifyReply> {
    const { request, reply, charge, payment } = visit;
    // Before the first code is asked for: a button that is pressed twice is then pressed in one browser.
    if (chargeCan.pay(charge)) keepBrowser(settings, request, reply);
    const query = request.query as Record<string, unknown>;
    const page = screenOf(payment, await findStanding(till, visit), {
      refusesCookies: refusesCookies(request),
      isLeaving: query["leaving"] === "1",
      isCanceling: query["cancel"] === "1",
      checking:
        query["checking"] === "1" ? "refreshing" : query["checking"] === "still" ? "still" : "no",
    });
    return sendFramed(request, reply, payment.frame, page);
  }

  async function backToPage({ reply, payment }: Visit): Promise<FastifyReply> {
    return redirect(reply, payment.at());
  }

  async function sendLogo({ request, reply, charge }: Visit): Promise<FastifyReply> {
    const { logo } = await merchants.find(charge.companyId, charge.subCompanyId);
    if (logo === undefined) return sendProblem(settings, request, reply, 404);
    return hemIn(reply)
      .header("content-security-policy", "default-src 'none'")
      .header("cache-control", `private, max-age=${logoMaxAgeSeconds}`)
      .type(logo.type)
      .send(logo.bytes);
  }

  async function code(visit: Visit): Promise<FastifyReply> {
    const { request, reply, charge, checkout, payment } = visit;
    const typed = fieldOf(request, "phone");
    const again = fieldOf(request, "again") === "1" ? checkout.msisdn : undefined;
    const { frame, now } = payment;
    const { words, operator, place } = frame;
    const refuse = (problem: keyof Words["phoneProblems"]) => {
      const what = words.phoneProblems[problem](phoneExampleOf(frame));
      const page = <PayPage payment={payment} typed={typed} phoneProblem={what} />;
      return sendFramed(request, reply, frame, page, 422);
    };
    const phone =
      again === undefined ? readPhone(typed, place.country) : { msisdn: again, isCompleted: false };
    if (phone.msisdn === undefined) return refuse(phone.problem);
    if (phone.isCompleted) {
      const page = <CompletedPhonePage payment={payment} msisdn={phone.msisdn} />;
      return sendFramed(request, reply, frame, page);
    }
    const { companyName } = await merchants.find(charge.companyId, charge.subCompanyId);
    const name = clip(plainName(companyName), nameInMessageMax).trim();
    const amount = formatAmount(words, charge.amount);
    const secondsLeft = Math.floor((charge.expiresAt.getTime() - now.getTime()) / 1_000);
    const lasts = formatDuration(words, Math.min(codeLifetimeSeconds, secondsLeft));
    const outcome = await sendCode(till, {
      charge,
      browser: keepBrowser(settings, request, reply),
      address: networkOf(request.ip),
      msisdn: phone.msisdn,
      text: (digits) =>
        toMessageText(words.messages.pay(operator.name, digits, amount, name, lasts)),
    });
    if (outcome === "no-account") return refuse("noAccount");
    return outcome === "noted"
      ? redirect(reply, payment.at("", askedWithoutCookie(request)))
      : options.refuseBrowser(request, reply);
  }

  async function confirm(visit: Visit): Promise<FastifyReply> {
    const { request, reply, key, charge, browser, checkout, payment } = visit;
    const { msisdn } = checkout;
    if (browser === undefined || msisdn === undefined || !isWaitingForCode(charge, checkout))
      return backToPage(visit);
    const digits = readCode(fieldOf(request, "code"));
    if (digits === undefined) {
      const sent = await till.codes.current({ msisdn, purpose: `charge:${charge.id}`, browser });
      const problem = payment.frame.words.codeProblems.malformed;
      const page = <CodePage payment={payment} msisdn={msisdn} code={sent} problem={problem} />;
      return sendFramed(request, reply, payment.frame, page, 422);
    }
    try {
      await confirmCode(till, { ...key, browser }, msisdn, digits);
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error;
      request.log.warn({ err: error }, "the outcome of a payment is not known yet");
      return redirect(reply, payment.at("", { checking: "1" }));
    }
    return backToPage(visit);
  }

  async function cancel({ reply, key, payment }: Visit): Promise<FastifyReply> {
    const { droppedReason } = await cancelCharge(till.payments, key.companyId, key.chargeId);
    const query = droppedReason === "CANCELED" ? { leaving: "1" } : {};
    return redirect(reply, payment.at("", query));
  }

  async function change(visit: Visit): Promise<FastifyReply> {
    const { key, browser, charge } = visit;
    if (browser !== undefined) await clearPhone(database, { ...key, browser }, charge.attempts);
    return backToPage(visit);
  }
}

/** Wraps a handler: it is only called for a link that leads to a charge. */
function visitor({ settings, till, clock, links, merchants, refuseLink }: PayRoutesOptions) {
  return (handle: (visit: Visit) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { token } = request.params as { readonly token: string };
      const key = links.parse(token);
      const found =
        key === undefined ? undefined : await findCheckout(till, key, browserOf(request));
      if (key === undefined || found === undefined) return refuseLink(request, reply);

      const path = `/pay/${token}`;
      const { companyId, subCompanyId } = found.charge;
      const { name, place, logo } = await merchants.find(companyId, subCompanyId);
      const frame = frameOf(settings, request, path, place);
      if (found.isFrozen) return sendFrozen(request, reply, frame, name);
      const payment: Payment = {
        frame,
        merchant: {
          name,
          logoHref:
            logo !== undefined &&
            logo.bytes.length + textBytesOf(found.charge) <= logoAndTextBytesMax
              ? frame.href(`${path}/logo`)
              : undefined,
        },
        charge: found.charge,
        now: clock(),
        at: (action = "", query = {}) =>
          frame.href(action === "" ? path : `${path}/${action}`, query),
        url: links.urlOf(companyId, found.charge.id),
      };
      return handle({ ...found, request, reply, key, payment });
    };
}

/** Polite, and the same for whatever the payer wanted to do. Not a problem of the payer's, but nothing can be paid. */
function sendFrozen(
  request: FastifyRequest,
  reply: FastifyReply,
  frame: Frame,
  merchantName: string,
): Promise<FastifyReply> {
  const { title, what } = frame.words.frozenMerchant;
  const page = (
    <ProblemPage
      frame={frame}
      title={title}
      what={what(merchantName)}
      incident={request.id}
      back={undefined}
    />
  );
  return sendFramed(request, reply, frame, page, 403);
}

/** The size of the texts that the merchant wrote; when they are very long, the logo is left out. */
function textBytesOf(charge: Charge): number {
  const { description, externalId, onCanceledRedirectionUrl, onCompletedRedirectionUrl } = charge;
  const url = Math.max(onCanceledRedirectionUrl.length, onCompletedRedirectionUrl.length);
  return Buffer.byteLength(description + externalId) + url;
}
