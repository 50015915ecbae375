import type { PaymentError } from "../../charges/charge.ts";
import { formatAmount } from "../../pages/format.ts";
import { Money } from "../../pages/money.tsx";
import { maskPhone } from "../format.ts";
import { ActionForm, PhoneField } from "./parts.tsx";
import { DuePage, type Payment } from "./payment.tsx";

/** After these errors the same phone may succeed at the next try; after the others only another phone can. */
const worthRepeating: ReadonlySet<PaymentError> = new Set([
  "INSUFFICIENT_FUNDS",
  "DECLINED",
  "INTERNAL_ERROR",
]);

/** P3: an attempt failed. Why, in plain words; one thing to do about it; and the charge is still payable. */
export function FailedPage({
  payment,
  error,
  msisdn,
  refusal,
}: {
  readonly payment: Payment;
  readonly error: PaymentError;
  /** The phone it was tried with; undefined once another one is wanted. */
  readonly msisdn: string | undefined;
  readonly refusal: string | undefined;
}) {
  const { frame, charge, at } = payment;
  const { words } = frame;
  const again = msisdn !== undefined && worthRepeating.has(error) ? msisdn : undefined;
  return (
    <DuePage
      payment={payment}
      title={words.failed.title}
      problemTitle={words.failed.title}
      problem={refusal ?? words.failed.reasons[error]}
    >
      <p>{words.failed.stillPayable}</p>
      {again === undefined ? (
        <form method="post" action={at("code")}>
          <PhoneField frame={frame} typed={undefined} problem={undefined} />
          <button data-busy={words.busy}>
            <Money text={words.pay.submit(formatAmount(words, charge.amount))} />
          </button>
        </form>
      ) : (
        <>
          <ActionForm
            action={at("code")}
            words={words}
            label={words.failed.again(maskPhone(again))}
            fields={{ again: "1" }}
          />
          <ActionForm action={at("change")} words={words} label={words.failed.other} kind="quiet" />
        </>
      )}
    </DuePage>
  );
}
