import {
  type Charge,
  type ChargeTransaction,
  completedUrlOf,
  serviceReferenceOf,
} from "../../charges/charge.ts";
import { timeOfUuid } from "../../kernel/ids.ts";
import { formatAmount, formatMoment } from "../../pages/format.ts";
import { Money } from "../../pages/money.tsx";
import { maskPhone } from "../format.ts";
import { Document } from "./document.tsx";
import type { Frame } from "./frame.ts";
import { Amount, Sign, signs, Tick, Who } from "./parts.tsx";
import { hasSite, type Payment } from "./payment.tsx";

/** P4 and P6: what was paid, and what of it was given back. It is also what is printed. */
export function ReceiptPage({ payment }: { readonly payment: Payment }) {
  const { frame, merchant, charge } = payment;
  const { words } = frame;
  const title = titleOf(payment);
  return (
    <Document frame={frame} title={title} merchantName={merchant.name}>
      <div class="done" role="status">
        {charge.refunded === 0 ? <Tick /> : <Sign path={signs.back} />}
        <h1>{title}</h1>
        <Amount words={words} francs={charge.refunded || charge.paid} />
      </div>
      <Who frame={frame} merchant={merchant} />
      <dl class="facts">
        {factsOf(payment).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Money text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {hasSite(payment) && (
        <a class="button" href={completedUrlOf(charge)} rel="noreferrer">
          {words.receipt.back(merchant.name)}
        </a>
      )}
      <button type="button" class="quiet screen" id="print" hidden>
        {words.receipt.print}
      </button>
      <p class="soft screen">{words.receipt.keep}</p>
    </Document>
  );
}

function titleOf({ frame: { words }, charge }: Payment): string {
  if (charge.status === "refunded") return words.receipt.refunded;
  return charge.status === "refunded_partially"
    ? words.receipt.refundedPartly
    : words.receipt.title;
}

function factsOf({ frame, charge }: Payment): (readonly [string, string])[] {
  const { words } = frame;
  const names = words.receipt;
  const paying = lastOf(charge, "payment");
  const refund = lastOf(charge, "refund");
  const facts: (readonly [string, string])[] = [];
  if (charge.refunded > 0) {
    if (refund !== undefined) facts.push([names.refundDate, momentOf(frame, refund)]);
    const remaining = charge.paid - charge.refunded;
    if (remaining > 0) facts.push([names.remaining, formatAmount(words, remaining)]);
    facts.push([names.amount, formatAmount(words, charge.paid)]);
  }
  facts.push([names.what, charge.description]);
  if (paying !== undefined) {
    facts.push([names.date, momentOf(frame, paying)]);
    facts.push([names.payer, maskPhone(paying.msisdn)]);
    facts.push([names.reference, serviceReferenceOf(paying)]);
  }
  facts.push([names.merchantReference, charge.externalId]);
  return facts;
}

function lastOf(charge: Charge, type: ChargeTransaction["type"]): ChargeTransaction | undefined {
  return charge.transactions.findLast(
    (transaction) => transaction.type === type && transaction.status === "completed",
  );
}

/** The time is inside the id. */
function momentOf({ words, place }: Frame, { id }: ChargeTransaction): string {
  return formatMoment(words, place.timeZone, new Date(timeOfUuid(id)));
}
