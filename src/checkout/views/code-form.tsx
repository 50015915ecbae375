import type { CurrentCode } from "../../customers/one-time-code.ts";
import { formatTime, formatWait, maskPhone } from "../format.ts";
import type { Frame } from "./frame.ts";
import { ActionForm, Field } from "./parts.tsx";

export interface CodeFormProps {
  readonly frame: Frame;
  readonly msisdn: string;
  readonly code: CurrentCode | undefined;
  readonly problem: string | undefined;
  readonly submitLabel: string;
  readonly actions: {
    readonly confirm: string;
    readonly resend: string;
    readonly change: string;
  };
}

/** P2, for a payment and for the wallet: type the code, ask for another, or take another phone. */
export function CodeForm({ frame, msisdn, code, problem, submitLabel, actions }: CodeFormProps) {
  const { words } = frame;
  const isGood = code?.state === "good";
  return (
    <>
      {isGood ? (
        <form method="post" action={actions.confirm}>
          <p>
            {words.code.sent} <strong>{maskPhone(msisdn)}</strong>
          </p>
          {code.code !== undefined && (
            <p class="code-test">
              {words.code.test} <b>{code.code}</b>
              <br />
              {words.code.testHint}
            </p>
          )}
          <Field
            id="code"
            label={words.code.label}
            hint={words.code.valid(formatTime(code.expiresAt))}
            problem={problem}
          >
            {(described) => (
              <input
                {...described}
                autofocus
                type="text"
                inputmode="numeric"
                autocomplete="one-time-code"
                maxlength={12}
              />
            )}
          </Field>
          <button data-busy={words.busy}>{submitLabel}</button>
        </form>
      ) : (
        <p>{words.named(words.pay.phone, maskPhone(msisdn))}</p>
      )}
      <Resend frame={frame} code={code} action={actions.resend} isOnly={!isGood} />
      <ActionForm action={actions.change} words={words} label={words.code.change} kind="quiet" />
    </>
  );
}

/** The wait is the one at the moment the page was made. A payer who asks too early is told how long it still is. */
function Resend({
  frame: { words },
  code,
  action,
  isOnly,
}: {
  readonly frame: Frame;
  readonly code: CurrentCode | undefined;
  readonly action: string;
  /** Whether asking for another code is the main button, because the code in hand can no longer be typed. */
  readonly isOnly: boolean;
}) {
  const wait = code === undefined ? 0 : code.resendInSeconds;
  const left = code === undefined ? 1 : code.sendsLeft;
  return (
    <div class={isOnly ? "stack" : "rule"}>
      {!isOnly && <h2>{words.code.nothingReceived}</h2>}
      {code !== undefined && (
        <p class="soft">
          {left === 0
            ? words.code.resendNever(formatWait(words, wait))
            : wait > 0
              ? words.code.resendIn(formatWait(words, wait), left)
              : words.code.resendNow(left)}
        </p>
      )}
      {left > 0 && (
        <ActionForm
          action={action}
          words={words}
          label={isOnly ? words.code.newCode : words.code.resend}
          {...(isOnly ? {} : { kind: "second" as const })}
          fields={{ again: "1" }}
        />
      )}
    </div>
  );
}
