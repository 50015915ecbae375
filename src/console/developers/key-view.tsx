import { keyIdPrefix } from "../../companies/credentials.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { formatShortMoment } from "../../pages/format.ts";
import type { ScreenContext } from "../context.ts";
import { Field, Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Facts } from "../views/table.tsx";
import type { DeveloperWords } from "../words/developers.ts";
import { KeyState, lastUsedOf, type ShownKey } from "./keys-view.tsx";
import { Tabs } from "./tabs.tsx";

/** One key: what is known of it, another in its place, and its end. */
export function KeyView({
  context,
  words,
  shown,
  now,
  problem,
}: {
  readonly context: ScreenContext;
  readonly words: DeveloperWords;
  readonly shown: ShownKey;
  readonly now: Date;
  readonly problem: string | undefined;
}) {
  const { words: frame, company, href } = context;
  const id = toPublicId(keyIdPrefix, shown.key_id);
  const path = `/console/developers/keys/${id}`;
  const moment = (at: Date) => formatShortMoment(frame, company.timeZone, at);
  return (
    <>
      <Tabs context={context} />
      <h1>{words.manageTitle(shown.name ?? words.unnamed)}</h1>
      {problem !== undefined && (
        <Problems title={frame.problem} problems={[{ field: "rotate", text: problem }]} />
      )}
      <section class="card">
        <Facts
          facts={[
            [
              words.key,
              <span key="id" class="code anywhere">
                {id}
              </span>,
            ],
            [words.created, moment(shown.created_at)],
            [words.lastUsed, lastUsedOf(context, words, shown)],
            [
              words.state,
              <KeyState key="state" words={words} shown={shown} now={now} moment={moment} />,
            ],
          ]}
        />
      </section>
      <div class="cards">
        <section class="card" aria-labelledby="rotate">
          <h2 id="rotate" tabindex={-1}>
            {words.rotate}
          </h2>
          <p class="soft">{words.rotateWhat}</p>
          <Form context={context} path={`${path}/rotate`} submit={words.rotateSubmit}>
            <fieldset>
              <legend>{words.overlap}</legend>
              {Object.entries(words.overlaps).map(([value, name]) => (
                <label key={value} class="choice">
                  <input
                    type="radio"
                    name="overlap"
                    value={value}
                    checked={value === "86400"}
                    required
                  />
                  <span>{name}</span>
                </label>
              ))}
            </fieldset>
            <Field id="until" label={words.until}>
              {(described) => <input {...described} type="datetime-local" />}
            </Field>
          </Form>
        </section>
        <section class="card" aria-labelledby="revoke">
          <h2 id="revoke">{words.revoke}</h2>
          <p class="soft">{words.revokeWhat}</p>
          <Form context={context} path={`${path}/revoke`} submit={words.revoke} kind="danger" />
        </section>
      </div>
      <p>
        <a href={href("/console/developers")}>{words.back}</a>
      </p>
    </>
  );
}
