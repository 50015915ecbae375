import type { FastifyReply } from "fastify";
import { listSubCompanies } from "../companies/sub-companies.ts";
import { balancesOf } from "../ledger/post.ts";
import { sendPage } from "../pages/send-page.ts";
import type { Notice, ScreenContext, View, VisitContext } from "./context.ts";
import type { ConsoleParts } from "./parts.ts";
import { type Section, sections } from "./sections.ts";
import { Frame, type Whose } from "./views/frame.tsx";

/** Sends a page of a company: whose it is, what is on the account, where else to go, and until when. */
export async function sendView(
  parts: ConsoleParts,
  context: ScreenContext,
  view: View,
): Promise<FastifyReply> {
  const { request, company, words, role } = context;
  const { database } = parts;
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
  const whose = {
    name: company.name,
    role: words.roles[role],
    timeZone: company.timeZone,
    balance: balances?.available,
    ...(role === "owner" ? { unseenChanges: context.session.unseenChanges } : {}),
  };
  return sendFramed(parts, context, view, whose, shown);
}

/** Sends a page inside the frame. */
export async function sendFramed(
  { clock, settings, board }: ConsoleParts,
  context: VisitContext,
  view: View,
  whose: Whose,
  sectionsShown: readonly Section[],
): Promise<FastifyReply> {
  const { request, reply, nonce, language, session } = context;
  const now = clock();
  const page = (
    <Frame
      context={context}
      view={view}
      whose={whose}
      sections={sectionsShown}
      now={now}
      isTest={!settings.isProduction}
      operator={settings.operator}
      notice={readNotice(session.notice)}
      banner={await board.read(now)}
    />
  );
  const head = { nonce, lang: language, mayAsk: view.mayAsk === true };
  return sendPage(request, reply, head, page, view.status ?? 200);
}

function readNotice(text: string | null): Notice | undefined {
  return text === null ? undefined : (JSON.parse(text) as Notice);
}
