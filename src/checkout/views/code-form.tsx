import type { CurrentCode } from "../../customers/one-time-code.ts";
import { formatTime, formatWait } from "../../pages/format.ts";
import { Money } from "../../pages/money.tsx";
import { maskPhone } from "../format.ts";
import type { Frame } from "./frame.ts";
import { ActionForm, Field } from "./parts.tsx";

export interface CodeFormProps {
  readonly frame: Frame;
  readonly msisdn: string;
  readonly code: CurrentCode | undefined;
  readonly problem: string | undefined;
  /** What to say though nothing is wrong: another code was asked for too early. */
  readonly note: string | undefined;
  /** What the code is for is over by then, however long the code itself would be good. */
  readonly endsAt?: Date;
  readonly submitLabel: string;
  readonly actions: {
    readonly confirm: string;
    readonly resend: string;
    readonly change: string;
  };
}

/** P2, for a payment and for the wallet: type the code, ask for another, or take another phone. */
export function CodeForm(props: CodeFormProps) {
  const { frame, msisdn, code, problem, note, endsAt, submitLabel, actions } = props;
  const { words, place } = frame;
  const isGood = code?.state === "good";
  return (
    <>
      {note !== undefined && (
        <p class="note" role="status">
          {note}
        </p>
      )}
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
            hint={words.code.valid(formatTime(place.timeZone, earlier(code.expiresAt, endsAt)))}
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
          <button data-busy={words.busy}>
            <Money text={submitLabel} />
          </button>
        </form>
      ) : (
        <p>{words.named(words.pay.phone, maskPhone(msisdn))}</p>
      )}
      <Resend frame={frame} code={code} action={actions.resend} isOnly={!isGood} />
      <ActionForm action={actions.change} words={words} label={words.code.change} kind="quiet" />
    </>
  );
}

function earlier(one: Date, other: Date | undefined): Date {
  return other !== undefined && other < one ? other : one;
}

/**
 * The wait is the one at the moment the page was made; the script puts it into the button instead and counts it down.
 * Without script a payer who asks too early is told how long it still is.
 */
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
      {left === 0 ? (
        <p class="soft">{words.code.resendNever(formatWait(words, wait))}</p>
      ) : (
        wait > 0 && (
          <p class="soft" id="wait">
            {words.code.resendIn(formatWait(words, wait))}
          </p>
        )
      )}
      {left > 0 && (
        <ActionForm
          action={action}
          words={words}
          label={isOnly ? words.code.newCode : words.code.resend}
          {...(isOnly ? {} : { kind: "second" as const })}
          fields={{ again: "1" }}
          wait={wait}
        />
      )}
      {code !== undefined && left > 0 && <p class="soft">{words.code.sendsLeft(left)}</p>}
    </div>
  );
}
