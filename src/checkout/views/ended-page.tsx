import { canceledUrlOf } from "../../charges/charge.ts";
import { formatAmount } from "../../pages/format.ts";
import { Money } from "../../pages/money.tsx";
import { Document } from "./document.tsx";
import { Sign, signs, Who } from "./parts.tsx";
import { hasSite, type Payment } from "./payment.tsx";

/** P5: expired or cancelled. Nothing was debited, and the way back to the merchant. */
export function EndedPage({
  payment,
  isLeaving,
}: {
  readonly payment: Payment;
  /** Straight after "cancel": the browser goes on to the merchant by itself. */
  readonly isLeaving: boolean;
}) {
  const { frame, merchant, charge } = payment;
  const { words } = frame;
  const isCanceled = charge.droppedReason === "CANCELED";
  const title = isCanceled ? words.ended.canceled : words.ended.expired;
  const back = canceledUrlOf(charge);
  const isFromSite = hasSite(payment);
  return (
    <Document
      frame={frame}
      title={title}
      merchantName={merchant.name}
      // The browser goes on at once, so this sets slow readers no time limit. The POST itself is not redirected to
      // the merchant: browsers that apply form-action to redirects would block that, and any redirect of the merchant
      // after it.
      head={isLeaving && isFromSite && <meta http-equiv="refresh" content={`0;url=${back}`} />}
    >
      <Who frame={frame} merchant={merchant} />
      <div class="done over" role="status">
        <Sign path={isCanceled ? signs.cross : signs.clock} />
        <h1>{title}</h1>
        <p>{isCanceled ? words.ended.canceledWhat : words.ended.expiredWhat}</p>
      </div>
      <dl class="facts">
        <div>
          <dt>{words.receipt.what}</dt>
          <dd>{charge.description}</dd>
        </div>
        <div>
          <dt>{words.ended.amount}</dt>
          <dd>
            <Money text={formatAmount(words, charge.amount)} />
          </dd>
        </div>
        <div>
          <dt>{words.receipt.merchantReference}</dt>
          <dd>{charge.externalId}</dd>
        </div>
      </dl>
      {isFromSite && (
        <a class="button" href={back} rel="noreferrer">
          {words.receipt.back(merchant.name)}
        </a>
      )}
      <p class="soft">{words.ended.again}</p>
    </Document>
  );
}
