import { countryOfMsisdn, spellMsisdn } from "../../kernel/countries.ts";
import { formatAmount } from "../../pages/format.ts";
import { Money } from "../../pages/money.tsx";
import { formatCountry } from "../format.ts";
import { Document } from "./document.tsx";
import type { Frame } from "./frame.ts";
import { DuePage, type Payment } from "./payment.tsx";

/** Between phone and code: the whole number, when it was typed without its country code. No code was sent yet. */
export function CompletedPhonePage({
  payment,
  msisdn,
}: {
  readonly payment: Payment;
  readonly msisdn: string;
}) {
  const { frame, charge, at } = payment;
  const { words } = frame;
  return (
    <DuePage payment={payment} title={words.completed.title}>
      <CompletedPhone
        frame={frame}
        msisdn={msisdn}
        action={at("code")}
        submitLabel={words.pay.submit(formatAmount(words, charge.amount))}
        back={at()}
      />
    </DuePage>
  );
}

/** The same on the way into the wallet. */
export function WalletCompletedPhonePage({
  frame,
  msisdn,
}: {
  readonly frame: Frame;
  readonly msisdn: string;
}) {
  const { words, href } = frame;
  return (
    <Document frame={frame} title={words.completed.title}>
      <h1>{words.wallet.title}</h1>
      <CompletedPhone
        frame={frame}
        msisdn={msisdn}
        action={href("/wallet/code")}
        submitLabel={words.wallet.submit}
        back={href("/wallet")}
      />
    </Document>
  );
}

function CompletedPhone({
  frame: { words, place },
  msisdn,
  action,
  submitLabel,
  back,
}: {
  readonly frame: Frame;
  readonly msisdn: string;
  readonly action: string;
  readonly submitLabel: string;
  readonly back: string;
}) {
  const country = countryOfMsisdn(msisdn) ?? place.country;
  return (
    <>
      <form method="post" action={action}>
        <h2>{words.completed.title}</h2>
        <p class="number">{spellMsisdn(msisdn)}</p>
        <p class="soft">{words.completed.what(formatCountry(words, country))}</p>
        <input type="hidden" name="phone" value={`+${msisdn}`} />
        <button data-busy={words.busy}>
          <Money text={submitLabel} />
        </button>
      </form>
      <a class="button quiet" href={back}>
        {words.code.change}
      </a>
    </>
  );
}
