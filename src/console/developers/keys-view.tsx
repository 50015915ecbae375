import { keyIdPrefix } from "../../companies/credentials.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { formatShortMoment } from "../../pages/format.ts";
import type { ScreenContext } from "../context.ts";
import { EmptyState } from "../views/empty-state.tsx";
import { Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Status } from "../views/status.tsx";
import { Table } from "../views/table.tsx";
import type { DeveloperWords } from "../words/developers.ts";
import { Tabs } from "./tabs.tsx";

export interface ShownKey {
  readonly key_id: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
}

export function KeysView({
  context,
  words,
  keys,
  now,
  problem,
}: {
  readonly context: ScreenContext;
  readonly words: DeveloperWords;
  readonly keys: readonly ShownKey[];
  readonly now: Date;
  readonly problem: string | undefined;
}) {
  const { words: frame, company, href } = context;
  const moment = (at: Date) => formatShortMoment(frame, company.timeZone, at);
  return (
    <>
      <Tabs context={context} />
      <h1>{words.keys}</h1>
      {problem !== undefined && (
        <Problems title={frame.problem} problems={[{ field: "new-key", text: problem }]} />
      )}
      <p class="soft">{words.keysWhat}</p>
      {keys.length === 0 ? (
        <EmptyState {...words.none} />
      ) : (
        <Table
          caption={words.keys}
          rows={keys}
          keyOf={({ key_id }) => key_id}
          columns={[
            {
              key: "key",
              title: words.key,
              isHead: true,
              cell: ({ key_id }) => <span class="code">{toPublicId(keyIdPrefix, key_id)}</span>,
            },
            { key: "created", title: words.created, cell: ({ created_at }) => moment(created_at) },
            {
              key: "state",
              title: words.state,
              cell: (key) => <State words={words} shown={key} now={now} moment={moment} />,
            },
            {
              key: "actions",
              title: words.actions,
              cell: (key) => {
                const id = toPublicId(keyIdPrefix, key.key_id);
                return isGood(key, now) ? (
                  <a
                    href={href(`/console/developers/keys/${id}`)}
                    aria-label={words.revokeTitle(id)}
                  >
                    {words.revoke}
                  </a>
                ) : null;
              },
            },
          ]}
        />
      )}
      <section class="card" aria-labelledby="new-key">
        <h2 id="new-key" tabindex={-1}>
          {words.rotate}
        </h2>
        <p class="soft">{words.rotateWhat}</p>
        <Form context={context} path="/console/developers/keys" submit={words.rotateSubmit}>
          <fieldset>
            <legend>{words.overlap}</legend>
            {Object.entries(words.overlaps).map(([seconds, name]) => (
              <label key={seconds} class="choice">
                <input
                  type="radio"
                  name="overlap"
                  value={seconds}
                  checked={seconds === "86400"}
                  required
                />
                <span>{name}</span>
              </label>
            ))}
          </fieldset>
        </Form>
      </section>
    </>
  );
}

function State({
  words,
  shown,
  now,
  moment,
}: {
  readonly words: DeveloperWords;
  readonly shown: ShownKey;
  readonly now: Date;
  readonly moment: (at: Date) => string;
}) {
  const { revoked_at, expires_at } = shown;
  if (revoked_at !== null) return <Status tone="bad" word={words.revoked(moment(revoked_at))} />;
  if (expires_at === null) return <Status tone="good" word={words.good} />;
  return expires_at > now ? (
    <Status tone="wait" word={words.ends(moment(expires_at))} />
  ) : (
    <Status tone="idle" word={words.ended(moment(expires_at))} />
  );
}

export function isGood({ revoked_at, expires_at }: ShownKey, now: Date): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now);
}
