import { Document } from "./document.tsx";
import { ActionForm, Amount, Who } from "./parts.tsx";
import { hasSite, type Payment } from "./payment.tsx";

/** Before a charge is dropped: it cannot be taken back, and one tap is made by mistake. */
export function CancelPage({ payment }: { readonly payment: Payment }) {
  const { frame, merchant, charge, at } = payment;
  const { words } = frame;
  return (
    <Document frame={frame} title={words.cancel.title} merchantName={merchant.name}>
      <Who frame={frame} merchant={merchant} />
      <div class="sum">
        <h1>{words.cancel.title}</h1>
        <Amount words={words} francs={charge.amount} />
        <p>{charge.description}</p>
      </div>
      <p>{words.cancel.what}</p>
      <a class="button" href={at()}>
        {words.cancel.no}
      </a>
      <ActionForm
        action={at("cancel")}
        words={words}
        label={hasSite(payment) ? words.cancel.yes(merchant.name) : words.cancel.yesHere}
        kind="second"
      />
    </Document>
  );
}
