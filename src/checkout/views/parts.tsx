import type { ComponentChildren } from "preact";
import { formatAmount, initialsOf } from "../../pages/format.ts";
import { Money } from "../../pages/money.tsx";
import { phoneExampleOf } from "../format.ts";
import type { Frame, Merchant } from "./frame.ts";

/** Characters of the largest type that fit a line of the smallest screen. */
const lineMax = 13;

/** Who asks, at the top of every page of a payment. The image says nothing that the name does not. */
export function Who({
  frame,
  merchant,
  asks = false,
}: {
  readonly frame: Frame;
  readonly merchant: Merchant;
  readonly asks?: boolean;
}) {
  return (
    <p class="who">
      {merchant.logoHref === undefined ? (
        <span class="logo letters" aria-hidden="true">
          {initialsOf(merchant.name)}
        </span>
      ) : (
        <img class="logo" src={merchant.logoHref} width="48" height="48" alt="" />
      )}
      <span>
        <strong>{merchant.name}</strong>
        {asks && <span>{frame.words.pay.asks}</span>}
      </span>
    </p>
  );
}

/** The sum of the page, in large type. */
export function Amount({
  words,
  francs,
  as: Tag = "p",
}: {
  readonly words: Frame["words"];
  readonly francs: number;
  readonly as?: "h1" | "p";
}) {
  const text = formatAmount(words, francs);
  return (
    <Tag class={text.length > lineMax ? "amount long" : "amount"}>
      <Money text={text} />
    </Tag>
  );
}

/** What is wrong, first on the page, with a link to where it can be mended. */
export function Summary({
  frame,
  title = frame.words.problem,
  problem,
  field,
}: {
  readonly frame: Frame;
  readonly title?: string | undefined;
  readonly problem: string;
  readonly field?: string | undefined;
}) {
  return (
    <div class="alert" role="alert">
      <h2>{title}</h2>
      <p>{field === undefined ? problem : <a href={`#${field}`}>{problem}</a>}</p>
    </div>
  );
}

export interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly problem: string | undefined;
  readonly children: (described: {
    readonly id: string;
    readonly name: string;
    readonly required: true;
    readonly "aria-describedby": string;
    readonly "aria-invalid"?: "true";
    readonly autofocus?: true;
  }) => ComponentChildren;
}

/** A label, a hint and a problem, tied to their field. */
export function Field({ id, label, hint, problem, children }: FieldProps) {
  const hasProblem = problem !== undefined;
  return (
    <>
      <label for={id}>{label}</label>
      <p class="soft" id={`${id}-hint`}>
        {hint}
      </p>
      {hasProblem && (
        <p class="bad" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {children({
        id,
        name: id,
        required: true,
        "aria-describedby": hasProblem ? `${id}-problem ${id}-hint` : `${id}-hint`,
        ...(hasProblem ? { "aria-invalid": "true", autofocus: true } : {}),
      })}
    </>
  );
}

/** The number of the phone that a code goes to. What was typed stays, so that it can be mended. */
export function PhoneField({
  frame,
  typed,
  problem,
}: {
  readonly frame: Frame;
  readonly typed: string | undefined;
  readonly problem: string | undefined;
}) {
  const { phone, phoneHint } = frame.words.pay;
  return (
    <Field id="phone" label={phone} hint={phoneHint(phoneExampleOf(frame))} problem={problem}>
      {(described) => (
        <input
          {...described}
          type="tel"
          inputmode="tel"
          autocomplete="tel"
          maxlength={40}
          value={typed}
        />
      )}
    </Field>
  );
}

/** A form with one button: what a link must not do, because it changes something. */
export function ActionForm({
  action,
  words,
  label,
  kind,
  fields = {},
  wait = 0,
}: {
  readonly action: string;
  readonly words: Frame["words"];
  readonly label: string;
  readonly kind?: "second" | "quiet";
  readonly fields?: Readonly<Record<string, string>>;
  /** For so many seconds the script keeps the button from being pressed, and counts them. */
  readonly wait?: number;
}) {
  return (
    <form method="post" action={action}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button class={kind} data-busy={words.busy} data-wait={wait > 0 ? wait : undefined}>
        {label}
      </button>
    </form>
  );
}

export function Tick() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="12" fill="currentColor" />
      <path d="m6.5 12.5 3.7 3.7 7.3-8" fill="none" stroke="var(--card)" stroke-width="2.2" />
    </svg>
  );
}

/** Time is over, or the money went back: a clock's hand, or an arrow that turns round. */
export function Sign({ path }: { readonly path: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2">
      <circle cx="12" cy="12" r="11" />
      <path d={path} stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}

export const signs = {
  clock: "M12 6v6l4 3",
  cross: "m8 8 8 8m0-8-8 8",
  back: "M8 8h5a3.5 3.5 0 0 1 0 7H8m0-7 2.5-2.5M8 8l2.5 2.5",
};
