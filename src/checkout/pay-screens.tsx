import type { VNode } from "preact";
import { formatWait } from "../pages/format.ts";
import type { Notice, Standing } from "./checkout.ts";
import { CancelPage } from "./views/cancel-page.tsx";
import { CheckingPage } from "./views/checking-page.tsx";
import { CodePage } from "./views/code-page.tsx";
import { EndedPage } from "./views/ended-page.tsx";
import { FailedPage } from "./views/failed-page.tsx";
import { PayPage } from "./views/pay-page.tsx";
import type { Payment } from "./views/payment.tsx";
import { ReceiptPage } from "./views/receipt-page.tsx";
import type { Words } from "./words/fr.ts";

export interface ScreenOptions {
  /** A code was asked for, and the browser kept nothing to which it could belong. */
  readonly refusesCookies: boolean;
  /** The payer has just pressed "cancel". */
  readonly isLeaving: boolean;
  /** The payer has been asked whether to cancel. */
  readonly isCanceling: boolean;
  /**
   * The answer to a payment was lost. "refreshing": the page asks again by itself. "still": the reader has stopped
   * that.
   */
  readonly checking: "no" | "refreshing" | "still";
}

/** The screen for where a payer stands. */
export function screenOf(payment: Payment, standing: Standing, options: ScreenOptions): VNode {
  const { words } = payment.frame;
  if (standing.screen === "receipt") return <ReceiptPage payment={payment} />;
  if (standing.screen === "ended")
    return <EndedPage payment={payment} isLeaving={options.isLeaving} />;
  if (options.checking !== "no")
    return <CheckingPage payment={payment} isRefreshing={options.checking === "refreshing"} />;
  if (options.isCanceling) return <CancelPage payment={payment} />;
  const refusal = options.refusesCookies
    ? words.refusals.cookies("")
    : refusalOf(words, standing.notice);
  if (standing.screen === "phone") return <PayPage payment={payment} refusal={refusal} />;
  if (standing.screen === "failed") {
    const { error, msisdn } = standing;
    return <FailedPage payment={payment} error={error} msisdn={msisdn} refusal={refusal} />;
  }
  const { msisdn, code } = standing;
  // A payer who asks for another code too early, or presses the button twice, is refused by a limit of the phone.
  // While the code in hand is good that is no problem, and is said as what it is.
  const isNote =
    code?.state === "good" &&
    ["pause", "purpose", "guesses", "phone", "busy"].includes(standing.notice?.kind ?? "");
  const problem = isNote ? undefined : (refusal ?? codeProblemOf(words, standing));
  const note = isNote ? refusal : undefined;
  return <CodePage payment={payment} msisdn={msisdn} code={code} problem={problem} note={note} />;
}

function refusalOf(words: Words, notice: Notice | undefined): string | undefined {
  if (notice === undefined || notice.kind === "wrong_code") return undefined;
  return words.refusals[notice.kind](formatWait(words, notice.seconds));
}

function codeProblemOf(
  words: Words,
  { code, notice }: Extract<Standing, { screen: "code" }>,
): string | undefined {
  if (code?.state === "exhausted") return words.codeProblems.exhausted;
  if (code?.state !== "good") return words.codeProblems.expired;
  return notice?.kind === "wrong_code" ? words.codeProblems.wrong(code.triesLeft) : undefined;
}
