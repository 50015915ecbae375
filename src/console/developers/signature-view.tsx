import type { ScreenContext } from "../context.ts";
import { Field, Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Notice } from "../views/notice.tsx";
import type { SignatureWords } from "../words/signature.ts";
import type { ChoosableKey, Finding } from "./check-signature.ts";
import { Tabs } from "./tabs.tsx";

/** What somebody pasted, and what is wrong with it. */
export interface Pasted {
  readonly body: string;
  readonly headers: string;
  /** The id of a key; nothing: any that is good. */
  readonly key: string;
  readonly problems?: Readonly<Partial<Record<"body" | "headers" | "key", string>>>;
}

export function SignatureView({
  context,
  words,
  keys,
  pasted,
  finding,
}: {
  readonly context: ScreenContext;
  readonly words: SignatureWords;
  readonly keys: readonly ChoosableKey[];
  readonly pasted: Pasted;
  readonly finding: Finding | undefined;
}) {
  const { problems = {} } = pasted;
  return (
    <>
      <Tabs context={context} />
      <h1>{words.title}</h1>
      <Problems
        title={context.words.problem}
        problems={Object.entries(problems).map(([field, text]) => ({ field, text }))}
      />
      {finding !== undefined && <Found words={words} finding={finding} chosen={pasted.key} />}
      <p class="soft">{words.what}</p>
      <section class="card">
        <Form context={context} path="/console/developers/signature" submit={words.check}>
          <Field id="body" label={words.body} hint={words.bodyHint} problem={problems.body}>
            {(described) => (
              <textarea {...described} class="code" spellcheck={false} rows={6} required>
                {/* A browser leaves the first line break of a text area out. */}
                {pasted.body.startsWith("\n") ? `\n${pasted.body}` : pasted.body}
              </textarea>
            )}
          </Field>
          <Field
            id="headers"
            label={words.headers}
            hint={words.headersHint}
            problem={problems.headers}
          >
            {(described) => (
              <textarea {...described} class="code" spellcheck={false} rows={4} required>
                {pasted.headers}
              </textarea>
            )}
          </Field>
          <Field id="key" label={words.key} hint={words.keyHint} problem={problems.key}>
            {(described) => (
              <select {...described}>
                <option value="">{words.anyKey}</option>
                {keys.map(({ id, label }) => (
                  <option key={id} value={id} selected={id === pasted.key}>
                    {label === id ? id : `${label} (${id})`}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </Form>
      </section>
      <p class="soft">{words.library}</p>
    </>
  );
}

function Found({
  words,
  finding: { diagnosis, signedBy },
  chosen,
}: {
  readonly words: SignatureWords;
  readonly finding: Finding;
  readonly chosen: string;
}) {
  if (diagnosis.isValid) {
    const by = signedBy === undefined ? "" : ` ${words.signedBy(signedBy.label)}`;
    return <Notice kind="good" text={`${words.good(diagnosis.header, diagnosis.topic)}${by}`} />;
  }
  const { reason } = diagnosis;
  const isOther = signedBy !== undefined && reason !== "too_old" && reason !== "too_new";
  if (isOther)
    return (
      <Notice
        kind="bad"
        text={
          signedBy.isGood && chosen !== ""
            ? words.otherKey(signedBy.label)
            : words.endedKey(signedBy.label)
        }
      />
    );
  return (
    <>
      <Notice kind="bad" text={words.reasons[reason]} />
      <p class="soft">
        {words.reason} <span class="code">{reason}</span>
      </p>
    </>
  );
}
