import type { CurrentCode } from "../../customers/one-time-code.ts";
import { formatAmount } from "../../pages/format.ts";
import { CodeForm } from "./code-form.tsx";
import { DuePage, type Payment } from "./payment.tsx";

/** P2: the code is on its way to the phone, or has been typed wrong, or is too old. */
export function CodePage({
  payment,
  msisdn,
  code,
  problem,
  note,
}: {
  readonly payment: Payment;
  readonly msisdn: string;
  readonly code: CurrentCode | undefined;
  readonly problem: string | undefined;
  readonly note?: string | undefined;
}) {
  const { frame, charge, at } = payment;
  const { words } = frame;
  const isGood = code?.state === "good";
  return (
    <DuePage
      payment={payment}
      title={words.code.title}
      problem={problem}
      field={isGood ? "code" : undefined}
    >
      <CodeForm
        frame={frame}
        msisdn={msisdn}
        code={code}
        problem={problem}
        note={note}
        endsAt={charge.expiresAt}
        submitLabel={words.code.submit(formatAmount(words, charge.amount))}
        actions={{ confirm: at("confirm"), resend: at("code"), change: at("change") }}
      />
    </DuePage>
  );
}
