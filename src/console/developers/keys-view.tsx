import { isGoodKey, keyIdPrefix } from "../../companies/credentials.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { formatShortMoment } from "../../pages/format.ts";
import type { ScreenContext } from "../context.ts";
import { EmptyState } from "../views/empty-state.tsx";
import { Field, Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Status } from "../views/status.tsx";
import { Table } from "../views/table.tsx";
import type { DeveloperWords } from "../words/developers.ts";
import { Tabs } from "./tabs.tsx";

export interface ShownKey {
  readonly key_id: string;
  readonly name: string | null;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly used_at: Date | null;
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
        <Problems title={frame.problem} problems={[{ field: "name", text: problem }]} />
      )}
      <p class="soft">{words.keysWhat}</p>
      {keys.length === 0 ? (
        <EmptyState {...words.none} />
      ) : (
        <Table
          caption={words.keys}
          isCaptionHidden
          rows={keys}
          keyOf={({ key_id }) => key_id}
          columns={[
            {
              key: "name",
              title: words.name,
              isHead: true,
              cell: ({ name }) => <span class="anywhere">{name ?? words.unnamed}</span>,
            },
            {
              key: "key",
              title: words.key,
              cell: ({ key_id }) => (
                <span class="code anywhere">{toPublicId(keyIdPrefix, key_id)}</span>
              ),
            },
            { key: "created", title: words.created, cell: ({ created_at }) => moment(created_at) },
            {
              key: "used",
              title: words.lastUsed,
              cell: (key) => lastUsedOf(context, words, key),
            },
            {
              key: "state",
              title: words.state,
              cell: (key) => <KeyState words={words} shown={key} now={now} moment={moment} />,
            },
            {
              key: "actions",
              title: words.actions,
              cell: (key) => {
                const id = toPublicId(keyIdPrefix, key.key_id);
                return isGoodKey(key, now) ? (
                  <a
                    href={href(`/console/developers/keys/${id}`)}
                    aria-label={words.manageTitle(key.name ?? id)}
                  >
                    {words.manage}
                  </a>
                ) : null;
              },
            },
          ]}
        />
      )}
      <p class="soft">{words.lastUsedWhat}</p>
      <section class="card" aria-labelledby="create">
        <h2 id="create">{words.create}</h2>
        <p class="soft">{words.createWhat}</p>
        <Form context={context} path="/console/developers/keys" submit={words.createSubmit}>
          <Field id="name" label={words.name} hint={words.nameHint} problem={problem}>
            {(described) => (
              <input {...described} type="text" autocomplete="off" required maxLength={60} />
            )}
          </Field>
        </Form>
      </section>
    </>
  );
}

export function lastUsedOf(
  { words: frame, company }: ScreenContext,
  words: DeveloperWords,
  { used_at }: ShownKey,
): string {
  return used_at === null ? words.neverUsed : formatShortMoment(frame, company.timeZone, used_at);
}

export function KeyState({
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
