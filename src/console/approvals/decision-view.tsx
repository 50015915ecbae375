import type { Proposal } from "../../approvals/proposal.ts";
import { formatAmount } from "../../pages/format.ts";
import type { PasskeySite } from "../../staff/passkey-site.ts";
import type { ScreenContext } from "../context.ts";
import { approvalPath } from "../payroll/paths.ts";
import { Field } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Notice } from "../views/notice.tsx";
import { PasskeyButton, PasskeyScript } from "../views/passkey.tsx";
import type { ApprovalsWords } from "../words/approvals.ts";
import { passkeyWords } from "../words/passkeys.ts";

/** Whether this person may decide about it now. */
export function mayDecide(
  context: ScreenContext,
  { state, hands }: Proposal,
  introducer: string | undefined,
): boolean {
  return (
    state === "waiting" &&
    context.may("approvals.decide") &&
    !hands.includes(context.person.id) &&
    introducer === undefined
  );
}

/** Two forms for whoever may decide, and why there are none for anybody else. */
export function Decision({
  context,
  words,
  proposal,
  introducer,
  site,
}: {
  readonly context: ScreenContext;
  readonly words: ApprovalsWords;
  readonly proposal: Proposal;
  /** Who had a hand in it and let this person in, by address. */
  readonly introducer: string | undefined;
  /** Where this person's passkeys can be used, if there are any. */
  readonly site: PasskeySite | undefined;
}) {
  if (!context.may("approvals.decide")) return <Notice kind="warn" text={words.mayNot} />;
  if (proposal.hands.includes(context.person.id))
    return <Notice kind="warn" text={words.notYours} />;
  if (introducer !== undefined) return <Notice kind="warn" text={words.ofIntroducer(introducer)} />;
  const total = formatAmount(context.words, proposal.totalAmount + proposal.totalFee);
  return (
    <DecisionForms
      context={context}
      words={words}
      path={approvalPath(proposal)}
      fields={{ hash: proposal.hash }}
      submit={words.approve(proposal.rowTotal, total)}
      commentHint={words.commentHint}
      site={site}
    />
  );
}

/** To approve, and to refuse, what `fields` name. */
export function DecisionForms({
  context,
  words,
  path,
  fields,
  submit,
  commentHint,
  refuseHint,
  site,
}: {
  readonly context: ScreenContext;
  readonly words: ApprovalsWords;
  /** With /approve and /refuse behind it. */
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly submit: string;
  readonly commentHint: string;
  readonly refuseHint?: string;
  /** Where this person's passkeys can be used, if there are any. */
  readonly site: PasskeySite | undefined;
}) {
  const inPlaceOfCode = (purpose: "approve" | "refuse") =>
    site !== undefined && (
      <PasskeyButton
        words={passkeyWords[context.language]}
        site={site}
        label={passkeyWords[context.language].useFor[purpose]}
        ask={context.href(`${path}/${purpose}/challenge`)}
      />
    );
  return (
    <div class="cards">
      <section class="card" aria-labelledby="approve">
        <h2 id="approve">{words.decide}</h2>
        <Form context={context} path={`${path}/approve`} fields={fields}>
          <AppCodeField words={words} id="code" />
          <p class="soft">{words.approveHint}</p>
          <button class="main">{submit}</button>
          {inPlaceOfCode("approve")}
        </Form>
      </section>
      <section class="card" aria-labelledby="refuse">
        <h2 id="refuse">{words.refuse}</h2>
        <Form context={context} path={`${path}/refuse`} fields={fields}>
          <Field id="comment" label={words.comment} hint={commentHint}>
            {(described) => <textarea {...described} required maxLength={1_000} />}
          </Field>
          <AppCodeField words={words} id="refuse-code" />
          {refuseHint !== undefined && <p class="soft">{refuseHint}</p>}
          <button class="danger">{words.refuse}</button>
          {inPlaceOfCode("refuse")}
        </Form>
      </section>
      {site !== undefined && <PasskeyScript nonce={context.nonce} />}
    </div>
  );
}

/** Asks for the code of the app alone, so that a phone shows its digits. */
function AppCodeField({ words, id }: { readonly words: ApprovalsWords; readonly id: string }) {
  return (
    <Field id={id} name="code" label={words.code} hint={words.codeHint}>
      {(described) => (
        <input
          {...described}
          class="one-time"
          inputMode="numeric"
          autocomplete="one-time-code"
          required
          maxLength={40}
        />
      )}
    </Field>
  );
}
