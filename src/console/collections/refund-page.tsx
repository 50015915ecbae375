import type { Charge } from "../../charges/charge.ts";
import type { RefundEffect } from "../../charges/refund-charge.ts";
import { formatAmount } from "../../pages/format.ts";
import type { ScreenContext } from "../context.ts";
import { Field, Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Money } from "../views/money.tsx";
import { Notice } from "../views/notice.tsx";
import { Phone } from "../views/phone.tsx";
import { Facts } from "../views/table.tsx";
import type { CollectionWords } from "../words/collections.ts";
import type { RefundWords } from "../words/refund.ts";
import { spellAmount } from "../words/spell-amount.ts";
import { payerOf } from "./list-page.tsx";
import { collectionPath, refundPath } from "./paths.ts";

interface Shared {
  readonly context: ScreenContext;
  readonly words: RefundWords;
  readonly names: CollectionWords;
  readonly charge: Charge;
}

/** How much of it. All that is left stands there already. */
export function RefundPage(
  props: Shared & { readonly typed: string; readonly problem: string | undefined },
) {
  const { context, words, charge, typed, problem } = props;
  const left = formatAmount(context.words, charge.paid - charge.refunded);
  return (
    <>
      <Head {...props} title={words.title} />
      <Problems
        title={context.words.problem}
        problems={problem === undefined ? [] : [{ field: "amount", text: problem }]}
      />
      <Known {...props} />
      <section class="card">
        <Form context={context} path={`${refundPath(charge)}/review`} submit={words.review}>
          <Field id="amount" label={words.amount} hint={words.amountHint(left)} problem={problem}>
            {(described) => (
              <input
                {...described}
                inputmode="numeric"
                autocomplete="off"
                maxlength={20}
                value={typed}
                required
              />
            )}
          </Field>
        </Form>
      </section>
    </>
  );
}

function Head({ context, names, charge, title }: Shared & { readonly title: string }) {
  return (
    <>
      <p>
        <a href={context.href(collectionPath(charge))}>{names.detail(charge.externalId)}</a>
      </p>
      <h1>{title}</h1>
    </>
  );
}

/** What is refunded, so that nobody refunds another. */
function Known({ context, names: { columns }, charge }: Shared) {
  const money = (francs: number) => <Money words={context.words} francs={francs} />;
  const payer = payerOf(charge);
  return (
    <section class="card">
      <Facts
        facts={[
          [columns.description, charge.description],
          ...(payer === undefined ? [] : ([[columns.payer, <Phone msisdn={payer} />]] as const)),
          [columns.paid, money(charge.paid)],
          [columns.refunded, money(charge.refunded)],
          [columns.left, money(charge.paid - charge.refunded)],
        ]}
      />
    </section>
  );
}

/** Everything that it does, before it is done. */
export function RefundReview(
  props: Shared & {
    readonly amount: number;
    readonly effect: RefundEffect;
    readonly available: number;
    /** What this person may still pay out alone today. */
    readonly aloneLeft: number;
    readonly notice: string | undefined;
    /** Of this form: sent twice, it asks once. */
    readonly formId: string;
  },
) {
  const { context, words, charge, amount, effect, available, aloneLeft, notice, formId } = props;
  const show = (francs: number) => formatAmount(context.words, francs);
  const money = (francs: number) => <Money words={context.words} francs={francs} />;
  const needsApproval = amount > aloneLeft;
  const missing = effect.fromBalance - available;
  const payer = payerOf(charge);
  return (
    <>
      <Head {...props} title={words.effectTitle} />
      {notice !== undefined && <Notice kind="bad" text={notice} />}
      {missing > 0 && <Notice kind="bad" text={words.tooLow(show(missing))} />}
      <section class="card">
        <p class="large">{money(amount)}</p>
        <Facts
          facts={[
            [
              words.payerGets,
              <>
                {money(amount)}{" "}
                <span class="soft">{payer !== undefined && <Phone msisdn={payer} />}</span>
              </>,
            ],
            [words.inWords, spellAmount(context.language, amount)],
            [words.feeBack, money(effect.feeBack)],
            [words.fromBalance, money(effect.fromBalance)],
            [words.balanceAfter, money(available - effect.fromBalance)],
            [words.left, money(effect.left)],
          ]}
        />
        <p>{needsApproval ? words.approval : words.alone}</p>
        <Form
          context={context}
          path={refundPath(charge)}
          submit={needsApproval ? words.ask(show(amount)) : words.confirm(show(amount))}
          fields={{ amount: String(amount), refunded: String(charge.refunded), form: formId }}
        />
        <p>
          <a href={context.href(refundPath(charge), { amount: String(amount) })}>{words.back}</a>
        </p>
      </section>
      <Known {...props} />
    </>
  );
}
