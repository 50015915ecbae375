import type { ComponentChildren } from "preact";
import type { Charge } from "../../charges/charge.ts";
import { formatExpiry } from "../format.ts";
import { Document } from "./document.tsx";
import type { Frame, Merchant } from "./frame.ts";
import { Amount, Summary, Who } from "./parts.tsx";

/** What every page of one charge shows and links to. */
export interface Payment {
  readonly frame: Frame;
  readonly merchant: Merchant;
  readonly charge: Charge;
  readonly now: Date;
  /** The address of this page, or of an action below it. */
  readonly at: (action?: string, query?: Readonly<Record<string, string>>) => string;
  /** The whole address, for another device. */
  readonly url: string;
}

/**
 * Whether there is a site to go back to. A link that was made by hand names our own address instead: its payer came from a
 * message or a code on paper.
 */
export function hasSite({ url, charge }: Pick<Payment, "url" | "charge">): boolean {
  return !url.startsWith(`${charge.onCompletedRedirectionUrl}pay/`);
}

/** A page of a charge that can still be paid: who asks, how much, what for, until when. */
export function DuePage({
  payment,
  title,
  problemTitle,
  problem,
  field,
  aside,
  children,
}: {
  readonly payment: Payment;
  readonly title: string;
  readonly problemTitle?: string;
  readonly problem?: string | undefined;
  readonly field?: string | undefined;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { frame, merchant, charge, now, at } = payment;
  const { words } = frame;
  return (
    <Document
      frame={frame}
      title={title}
      isProblem={problem !== undefined}
      merchantName={merchant.name}
      isWide={aside !== undefined}
    >
      <div>
        <Who frame={frame} merchant={merchant} asks />
        {problem !== undefined && (
          <Summary frame={frame} title={problemTitle} problem={problem} field={field} />
        )}
        <div class="sum">
          <Amount words={words} francs={charge.amount} as="h1" />
          <p>{charge.description}</p>
          <p class="soft">{formatExpiry(words, frame.place.timeZone, now, charge.expiresAt)}</p>
        </div>
        {children}
        <div class="rule">
          <a class="button quiet" href={at("", { cancel: "1" })}>
            {hasSite(payment) ? words.pay.cancel(merchant.name) : words.pay.cancelHere}
          </a>
          <p class="soft">{words.named(words.pay.reference, charge.externalId)}</p>
        </div>
      </div>
      {aside}
    </Document>
  );
}
