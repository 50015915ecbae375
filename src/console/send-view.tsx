import type { FastifyReply } from "fastify";
import { listSubCompanies } from "../companies/sub-companies.ts";
import { balancesOf } from "../ledger/post.ts";
import { sendPage } from "../pages/send-page.ts";
import type { Notice, ScreenContext, View } from "./context.ts";
import type { ConsoleParts } from "./parts.ts";
import { sections } from "./sections.ts";
import { Frame } from "./views/frame.tsx";

/** Sends a page inside the frame: whose it is, what is on the account, where else to go, and until when. */
export async function sendView(
  { database, clock, settings }: ConsoleParts,
  context: ScreenContext,
  view: View,
): Promise<FastifyReply> {
  const { request, reply, nonce, language, session, company } = context;
  const balances = context.may("balance.read") ? await balancesOf(database, company.id) : undefined;
  const allowed = sections.filter(
    ({ path, may }) =>
      request.server.hasRoute({ method: "GET", url: path }) &&
      (may.length === 0 || may.some((permission) => context.may(permission))),
  );
  const isAggregator =
    allowed.some(({ isForAggregators }) => isForAggregators === true) &&
    (await listSubCompanies(database, company.id, { limit: 1 })).rows.length > 0;
  const shown = allowed.filter(({ isForAggregators = false }) => !isForAggregators || isAggregator);
  const page = (
    <Frame
      context={context}
      view={view}
      sections={shown}
      balance={balances?.available}
      now={clock()}
      isTest={!settings.isProduction}
      operator={settings.operator}
      notice={readNotice(session.notice)}
    />
  );
  return sendPage(request, reply, { nonce, lang: language }, page, view.status ?? 200);
}

function readNotice(text: string | null): Notice | undefined {
  return text === null ? undefined : (JSON.parse(text) as Notice);
}
