import type { Charge } from "../../charges/charge.ts";
import { formatAmount, formatMoment } from "../../pages/format.ts";
import { QrCode } from "../../pages/qr-code.tsx";
import type { ScreenContext } from "../context.ts";
import { Field } from "../views/field.tsx";
import type { LinkWords } from "../words/payment-link.ts";
import { collectionPath } from "./paths.ts";

/** How a payer gets to the page of a charge: its address, a code to show, and words to send it with. */
export function Share({
  context,
  words: { share },
  charge,
  url,
  merchantName,
}: {
  readonly context: ScreenContext;
  readonly words: LinkWords;
  readonly charge: Charge;
  readonly url: string;
  /** Who asks, as the payer is told. */
  readonly merchantName: string;
}) {
  const { words: frame, company, href } = context;
  const amount = formatAmount(frame, charge.amount);
  const until = formatMoment(frame, company.timeZone, charge.expiresAt);
  const message = share
    .message(merchantName, amount, charge.description, until, url)
    .replaceAll("\u00a0", " ");
  const text = encodeURIComponent(message);
  return (
    <section class="card">
      <h2>{share.title}</h2>
      <div class="share">
        <div class="qr">
          <QrCode text={url} label={share.qr(amount)} />
        </div>
        <div class="stack">
          <p>{share.until(until)}</p>
          <h3>{share.address}</h3>
          <p class="secret">{url}</p>
          <p class="row">
            <a class="button" href={`https://wa.me/?text=${text}`} rel="noreferrer">
              {share.whatsApp}
            </a>
            <a class="button second" href={`sms:?body=${text}`}>
              {share.sms}
            </a>
          </p>
          <Field id="message" label={share.text}>
            {({ id }) => (
              <textarea id={id} readOnly rows={6}>
                {message}
              </textarea>
            )}
          </Field>
          <p class="row">
            <span>{share.print}</span>
            {(["a4", "a6"] as const).map((size) => (
              <a key={size} href={href(`${collectionPath(charge)}/print`, { size })}>
                {share.sizes[size]}
              </a>
            ))}
            <a href={url} rel="noreferrer">
              {share.open}
            </a>
          </p>
        </div>
      </div>
    </section>
  );
}
