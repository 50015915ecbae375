import type { FastifyReply, FastifyRequest } from "fastify";
import { hasAccount } from "../customers/check-customer.ts";
import {
  type CodeRefused,
  type CurrentCode,
  codeLifetimeSeconds,
  codeTriesMax,
} from "../customers/one-time-code.ts";
import { findWallet, listWalletEntries } from "../customers/wallet-history.ts";
import {
  endWalletSession,
  findWalletSession,
  openWalletSession,
} from "../customers/wallet-sessions.ts";
import type { App } from "../http/server.ts";
import { countryOfMsisdn, placeOf } from "../kernel/countries.ts";
import { DomainError } from "../kernel/domain-error.ts";
import { InvalidCursor } from "../kernel/errors.ts";
import { isMsisdn } from "../kernel/msisdn.ts";
import { networkOf } from "../kernel/network-of.ts";
import { readPhone } from "../kernel/read-phone.ts";
import { fieldOf } from "../pages/form.ts";
import { formatDuration, formatWait } from "../pages/format.ts";
import { type PageSettings } from "../pages/page-settings.ts";
import { redirect, weigh } from "../pages/send-page.ts";
import { askedWithoutCookie, browserOf, keepBrowser, refusesCookies } from "./browser.ts";
import { clearCookie, readCookie, setCookie } from "./cookies.ts";
import type { SmallLogos } from "./find-merchant.ts";
import type { Till } from "./find-standing.ts";
import { phoneExampleOf, toMessageText } from "./format.ts";
import { frameOf, pageBytesMax, sendFramed } from "./frame-of.ts";
import { readCode } from "./read-code.ts";
import { WalletCompletedPhonePage } from "./views/completed-phone.tsx";
import type { Frame } from "./views/frame.ts";
import { WalletCodePage } from "./views/wallet-code-page.tsx";
import { WalletPage } from "./views/wallet-page.tsx";
import { WalletSignInPage } from "./views/wallet-sign-in-page.tsx";
import { type LogoSheet, makeLogoSheet, noLogos } from "./wallet-logos.ts";
import type { Words } from "./words/fr.ts";

export interface WalletRoutesOptions {
  readonly settings: PageSettings;
  readonly till: Till;
  readonly logos: SmallLogos;
  /** False when too many codes were asked for from the caller's address. */
  readonly mayAskForCode: (request: FastifyRequest) => Promise<boolean>;
  /** Answers a request for a code that comes after too many others. */
  readonly refuseAsking: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

const hidden = { schema: { hide: true } };
const purpose = "wallet";
/** The headers that are sent before a page count towards its weight. */
const headersBytes = 1_024;

/** /wallet: a person's own view. Signed in by a code that is sent to the phone; nothing can be moved here. */
export function walletRoutes(app: App, options: WalletRoutesOptions): void {
  const { settings, till, logos } = options;
  const { codes } = till;
  const { database, policy } = till.payments;

  app.get("/wallet", hidden, show);
  app.post("/wallet/code", hidden, code);
  app.post("/wallet/confirm", hidden, confirm);
  app.post("/wallet/change", hidden, change);
  app.post("/wallet/leave", hidden, leave);
  for (const action of ["code", "confirm", "change", "leave"])
    app.get(`/wallet/${action}`, hidden, async (request, reply) => back(request, reply));

  async function show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const frame = frameOf(settings, request, "/wallet");
    const cookie = readCookie(request, "session");
    const session = cookie === undefined ? undefined : await findWalletSession(database, cookie);
    if (session !== undefined) return showHistory(request, reply, session.msisdn);

    // Before the first code is asked for: a button that is pressed twice is then pressed in one browser.
    keepBrowser(settings, request, reply);
    const msisdn = phoneOf(request);
    if (msisdn === undefined) {
      const problem = refusesCookies(request) ? frame.words.refusals.cookies("") : undefined;
      const page = <WalletSignInPage frame={frame} problem={problem} />;
      return sendFramed(request, reply, frame, page);
    }
    const sent = await currentCode(msisdn, browserOf(request));
    return showCode(request, reply, frame, msisdn, sent, codeProblemOf(frame.words, sent));
  }

  async function showHistory(
    request: FastifyRequest,
    reply: FastifyReply,
    msisdn: string,
  ): Promise<FastifyReply> {
    const country = countryOfMsisdn(msisdn) ?? settings.country;
    const frame = frameOf(settings, request, "/wallet", placeOf(country));
    const { cursor } = request.query as { readonly cursor?: unknown };
    const [wallet, history] = await Promise.all([
      findWallet(database, msisdn),
      // A cursor that no page gave out shows the newest page instead of a problem.
      listWalletEntries(database, msisdn, typeof cursor === "string" ? { cursor } : {}).catch(
        (error: unknown) => {
          if (!(error instanceof InvalidCursor)) throw error;
          return listWalletEntries(database, msisdn);
        },
      ),
    ]);
    const draw = (sheet: LogoSheet) => (
      <WalletPage frame={frame} wallet={wallet} history={history} logos={sheet} />
    );
    const room = pageBytesMax - headersBytes - (await weigh(draw(noLogos)));
    const page = draw(await makeLogoSheet(logos, history.rows, room));
    return sendFramed(request, reply, frame, page);
  }

  async function showCode(
    request: FastifyRequest,
    reply: FastifyReply,
    frame: Frame,
    msisdn: string,
    sent: CurrentCode | undefined,
    problem: string | undefined,
    status = 200,
  ): Promise<FastifyReply> {
    const { soon } = request.query as { readonly soon?: unknown };
    const wait = soon === "1" && sent?.state === "good" ? sent.resendInSeconds : 0;
    const note = wait > 0 ? frame.words.refusals.pause(formatWait(frame.words, wait)) : undefined;
    const page = (
      <WalletCodePage frame={frame} msisdn={msisdn} code={sent} problem={problem} note={note} />
    );
    return sendFramed(request, reply, frame, page, status);
  }

  async function code(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const frame = frameOf(settings, request, "/wallet");
    const { words } = frame;
    const typed = fieldOf(request, "phone");
    const again = fieldOf(request, "again") === "1" ? phoneOf(request) : undefined;
    const refuse = (problem: keyof Words["phoneProblems"]) => {
      const what = words.phoneProblems[problem](phoneExampleOf(frame));
      const page = <WalletSignInPage frame={frame} typed={typed} problem={what} />;
      return sendFramed(request, reply, frame, page, 422);
    };
    const phone =
      again === undefined
        ? readPhone(typed, settings.country)
        : { msisdn: again, isCompleted: false };
    if (phone.msisdn === undefined) return refuse(phone.problem);
    const { msisdn } = phone;
    if (phone.isCompleted) {
      const page = <WalletCompletedPhonePage frame={frame} msisdn={msisdn} />;
      return sendFramed(request, reply, frame, page);
    }
    if (!(await options.mayAskForCode(request))) return options.refuseAsking(request, reply);
    if (!(await hasAccount(database, policy, msisdn))) return refuse("noAccount");

    const browser = keepBrowser(settings, request, reply);
    const refusal = await send(words, msisdn, browser, networkOf(request.ip));
    setCookie(settings, reply, "phone", msisdn);
    if (refusal === undefined) return back(request, reply, askedWithoutCookie(request));
    const sent = await currentCode(msisdn, browser);
    // A person who presses the button twice asks for two codes. The second is refused, the first is on its way:
    // nothing is wrong, but the page says how long to wait.
    if (refusal.limit !== "unsent" && sent?.state === "good")
      return redirect(reply, frame.href("/wallet", { soon: "1" }));
    const problem = words.refusals[refusal.limit](formatWait(words, refusal.retryInSeconds));
    const status = refusal.limit === "unsent" ? 503 : refusal.limit === "abroad" ? 422 : 429;
    if (status !== 422) reply.header("retry-after", refusal.retryInSeconds);
    return showCode(request, reply, frame, msisdn, sent, problem, status);
  }

  /** Undefined when a code is on its way; otherwise why none is. */
  async function send(
    words: Words,
    msisdn: string,
    browser: Buffer,
    address: string,
  ): Promise<
    (Pick<CodeRefused, "retryInSeconds"> & { limit: CodeRefused["limit"] | "unsent" }) | undefined
  > {
    try {
      const origin = { address, companyId: undefined };
      const lasts = formatDuration(words, codeLifetimeSeconds);
      const text = (digits: string) =>
        toMessageText(words.messages.wallet(settings.operator.name, digits, lasts));
      const sent = await codes.send({ msisdn, purpose, browser, origin, text });
      return sent.kind === "sent" ? undefined : sent;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== "message_not_sent") throw error;
      return { limit: "unsent", retryInSeconds: 1 };
    }
  }

  async function confirm(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const msisdn = phoneOf(request);
    const browser = browserOf(request);
    if (msisdn === undefined || browser === undefined) return back(request, reply);
    const digits = readCode(fieldOf(request, "code"));
    if (digits === undefined) {
      const frame = frameOf(settings, request, "/wallet");
      const sent = await currentCode(msisdn, browser);
      const problem = frame.words.codeProblems.malformed;
      return showCode(request, reply, frame, msisdn, sent, problem, 422);
    }
    const check = await codes.check({ msisdn, purpose, browser, code: digits });
    if (check.kind === "right") {
      const cookie = await database.transaction(async (tx) =>
        (await codes.use(tx, { msisdn, codeId: check.codeId, browser }))
          ? openWalletSession(tx, msisdn)
          : undefined,
      );
      if (cookie !== undefined) {
        setCookie(settings, reply, "session", cookie);
        clearCookie(settings, reply, "phone");
      }
    }
    return back(request, reply);
  }

  async function currentCode(
    msisdn: string,
    browser: Buffer | undefined,
  ): Promise<CurrentCode | undefined> {
    return browser === undefined ? undefined : codes.current({ msisdn, purpose, browser });
  }

  async function change(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    clearCookie(settings, reply, "phone");
    return back(request, reply);
  }

  async function leave(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const cookie = readCookie(request, "session");
    if (cookie !== undefined) await endWalletSession(database, cookie);
    clearCookie(settings, reply, "session");
    return back(request, reply);
  }

  function back(
    request: FastifyRequest,
    reply: FastifyReply,
    query: Record<string, string> = {},
  ): FastifyReply {
    return redirect(reply, frameOf(settings, request, "/wallet").href("/wallet", query));
  }
}

function phoneOf(request: FastifyRequest): string | undefined {
  const value = readCookie(request, "phone");
  return value !== undefined && /^[0-9]+$/.test(value) && isMsisdn(value) ? value : undefined;
}

function codeProblemOf(words: Words, code: CurrentCode | undefined): string | undefined {
  if (code === undefined || code.state === "expired") return words.codeProblems.expired;
  if (code.state === "exhausted") return words.codeProblems.exhausted;
  return code.triesLeft < codeTriesMax ? words.codeProblems.wrong(code.triesLeft) : undefined;
}
