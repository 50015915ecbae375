import rateLimit from "@fastify/rate-limit";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { PaymentLinks } from "../charges/payment-links.ts";
import { answerUnread, collectRoutes, refuseOtherMethods } from "../http/other-methods.ts";
import { RateWindows } from "../http/rate-windows.ts";
import type { App } from "../http/server.ts";
import type { Clock } from "../kernel/clock.ts";
import { networkOf } from "../kernel/network-of.ts";
import { isForeign } from "../pages/foreign-requests.ts";
import { readForms } from "../pages/form.ts";
import { type PageSettings } from "../pages/page-settings.ts";
import type { PublicLedgerKey } from "../statements/seal.ts";
import { Merchants, SmallLogos } from "./find-merchant.ts";
import type { Till } from "./find-standing.ts";
import { homeRoutes } from "./home-routes.tsx";
import { payRoutes } from "./pay-routes.tsx";
import { problemHandler, sendProblem, sendUnknownLink } from "./problems.tsx";
import { verifyRoutes } from "./verify-routes.tsx";
import { walletRoutes } from "./wallet-routes.tsx";

export const pagePrefixes = ["/pay/", "/wallet/"] as const;

export interface CheckoutRoutesOptions {
  readonly settings: PageSettings;
  readonly till: Till;
  readonly clock: Clock;
  readonly links: PaymentLinks;
  /** Links that lead nowhere, from one address in a minute, before it is told to wait. */
  readonly wrongLinksPerMinute: number;
  /** The operator's, with which statements are verified. */
  readonly readLedgerKeys: () => Promise<readonly PublicLedgerKey[]>;
}

/** More codes than a household behind one address asks for, and too few to run up the operator's SMS bill. */
const codesPerAddressAndMinute = 30;
/** Files to verify: more than a person has, and few enough that a minute of one network is a minute of one thread at most. */
const filesPerAddressAndMinute = 20;
const minuteMs = 60_000;
/** Forms here send a phone number or a code; this is far more than either needs. */
const formBytesMax = 2_048;

/** The pages for people, in a scope of their own, which reads forms and answers HTML, also to errors. */
export async function checkoutRoutes(
  scope: App,
  { settings, till, clock, links, wrongLinksPerMinute, readLedgerKeys }: CheckoutRoutesOptions,
): Promise<void> {
  const routes = collectRoutes(scope);
  await scope.register(rateLimit, { global: false, store: RateWindows });
  const limitPerAddress = (max: number) =>
    scope.createRateLimit({
      max,
      timeWindow: minuteMs,
      keyGenerator: (request) => networkOf(request.ip),
    });
  const countWrongLink = limitPerAddress(wrongLinksPerMinute);
  const countCode = limitPerAddress(codesPerAddressAndMinute);
  const countFile = limitPerAddress(filesPerAddressAndMinute);
  const refuseBusy = (request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(settings, request, reply.header("retry-after", minuteMs / 1_000), 429);

  readForms(scope, formBytesMax);
  scope.setErrorHandler(problemHandler(settings));
  scope.addHook("onRequest", async (request, reply) => {
    if (request.method === "POST" && isForeign(request, settings.publicUrl))
      return sendProblem(settings, request, reply, 403);
    return undefined;
  });

  /** Only wrong links are counted: a good one always works, also from an address that others misuse. */
  const refuseLink = async (request: FastifyRequest, reply: FastifyReply) => {
    const count = await countWrongLink(request);
    return !count.isAllowed && count.isExceeded
      ? refuseBusy(request, reply)
      : sendUnknownLink(settings, request, reply);
  };
  const logos = new SmallLogos(till.payments.database);
  const merchants = new Merchants(till.payments.database, logos, settings.country);
  payRoutes(scope, {
    settings,
    till,
    clock,
    links,
    merchants,
    refuseBrowser: refuseBusy,
    refuseLink,
  });
  walletRoutes(scope, {
    settings,
    till,
    logos,
    mayAskForCode: async (request) => {
      const count = await countCode(request);
      return count.isAllowed || !count.isExceeded;
    },
    refuseAsking: refuseBusy,
  });
  await scope.register((inner: App) =>
    verifyRoutes(inner, {
      settings,
      readLedgerKeys,
      mayVerify: async (request) => {
        const count = await countFile(request);
        return count.isAllowed || !count.isExceeded;
      },
      refuseBusy,
    }),
  );
  refuseOtherMethods(scope, routes);
  for (const url of ["/pay", "/pay/*"]) answerUnread(scope, url, refuseLink);
  answerUnread(scope, "/wallet/*", (request, reply) => sendProblem(settings, request, reply, 404));
  await scope.register((inner: App) => homeRoutes(inner, settings));
}
