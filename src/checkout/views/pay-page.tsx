import { formatAmount } from "../../pages/format.ts";
import { Money } from "../../pages/money.tsx";
import { PhoneField } from "./parts.tsx";
import { DuePage, type Payment } from "./payment.tsx";
import { Qr } from "./qr.tsx";

/** P1: how much, to whom, and the phone to pay with. */
export function PayPage({
  payment,
  typed,
  phoneProblem,
  refusal,
}: {
  readonly payment: Payment;
  readonly typed?: string | undefined;
  /** What is wrong with the number that was typed. */
  readonly phoneProblem?: string | undefined;
  /** Why no code was sent, when the number itself is not to blame. */
  readonly refusal?: string | undefined;
}) {
  const { frame, merchant, charge, at, url } = payment;
  const { words } = frame;
  return (
    <DuePage
      payment={payment}
      title={words.pay.title(merchant.name)}
      problem={phoneProblem ?? refusal}
      field={phoneProblem === undefined ? undefined : "phone"}
      aside={<Qr words={words} url={url} href={at()} />}
    >
      <form method="post" action={at("code")}>
        <PhoneField frame={frame} typed={typed} problem={phoneProblem} />
        <button data-busy={words.busy}>
          <Money text={words.pay.submit(formatAmount(words, charge.amount))} />
        </button>
        <p class="soft">{words.pay.next(frame.operator.name)}</p>
      </form>
    </DuePage>
  );
}
