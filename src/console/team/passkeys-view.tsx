import { formatShortMoment } from "../../pages/format.ts";
import { type Passkey, passkeysPerPersonMax } from "../../staff/passkey.ts";
import type { PasskeySite } from "../../staff/passkey-site.ts";
import type { ScreenContext } from "../context.ts";
import { CodeField } from "../views/code-field.tsx";
import { Field } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import {
  PasskeyButton,
  PasskeyScript,
  shownWithPasskeys,
  WithoutPasskeys,
} from "../views/passkey.tsx";
import { Facts, Table } from "../views/table.tsx";
import type { PasskeyWords } from "../words/passkeys.ts";
import type { AccountProblem } from "./account-problem.ts";
import { accountPath, passkeysPath } from "./paths.ts";

interface Common {
  readonly context: ScreenContext;
  readonly words: PasskeyWords;
}

/** A person's passkeys, and how another one is added. The app comes first: it works on every phone and without script. */
export function Passkeys({
  context,
  words,
  passkeys,
  site,
  problemOf,
}: Common & {
  readonly passkeys: readonly Passkey[];
  readonly site: PasskeySite | undefined;
  readonly problemOf: (field: AccountProblem["field"]) => string | undefined;
}) {
  const { person, nonce } = context;
  return (
    <section class="card" aria-labelledby="passkeys">
      <h2 id="passkeys">{words.title}</h2>
      <p>{words.what}</p>
      {passkeys.length > 0 && <PasskeyTable context={context} words={words} passkeys={passkeys} />}
      {!person.hasSecondFactor && <p class="soft">{words.factorFirst}</p>}
      {person.hasSecondFactor && passkeys.length >= passkeysPerPersonMax && (
        <p class="soft">{words.full}</p>
      )}
      {person.hasSecondFactor && passkeys.length < passkeysPerPersonMax && (
        <>
          <WithoutPasskeys site={site} text={words.notHere} />
          {site !== undefined && (
            <div class="stack" {...shownWithPasskeys(site)}>
              <h3>{words.add}</h3>
              <Form context={context} path={passkeysPath}>
                <Field
                  id="name"
                  label={words.name}
                  hint={words.nameHint}
                  problem={problemOf("name")}
                >
                  {(described) => <input {...described} type="text" maxlength={60} required />}
                </Field>
                <CodeField
                  id="code"
                  label={words.code}
                  hint={words.codeHint}
                  problem={problemOf("code")}
                />
                <button class="main">{words.addSubmit}</button>
                {passkeys.length > 0 && (
                  <PasskeyButton
                    words={words}
                    site={site}
                    label={words.use}
                    ask={context.href(`${passkeysPath}/challenge`)}
                  />
                )}
              </Form>
              <PasskeyScript nonce={nonce} />
            </div>
          )}
        </>
      )}
    </section>
  );
}

function PasskeyTable({
  context,
  words,
  passkeys,
}: Common & { readonly passkeys: readonly Passkey[] }) {
  const moment = momentsOf(context);
  return (
    <Table
      caption={words.list}
      rows={passkeys}
      keyOf={({ id }) => id}
      columns={[
        { key: "name", title: words.name, isHead: true, cell: ({ name }) => name },
        { key: "made", title: words.made, cell: ({ createdAt }) => moment(createdAt) },
        {
          key: "used",
          title: words.used,
          cell: ({ usedAt }) => (usedAt === null ? words.never : moment(usedAt)),
        },
        {
          key: "actions",
          title: words.actions,
          cell: ({ id, name }) => (
            <a href={context.href(`${passkeysPath}/${id}`)} aria-label={words.manageOf(name)}>
              {words.manage}
            </a>
          ),
        },
      ]}
    />
  );
}

/** After the proof: the browser makes a passkey of what the page brings along. */
export function CreateView({
  context,
  words,
  site,
  name,
  options,
}: Common & {
  readonly site: PasskeySite;
  readonly name: string;
  readonly options: object;
}) {
  return (
    <>
      <h1>{words.createTitle}</h1>
      <section class="card">
        <p>{words.createWhat(name)}</p>
        <WithoutPasskeys site={site} text={words.notHere} />
        <Form context={context} path={`${passkeysPath}/create`}>
          <PasskeyButton words={words} site={site} label={words.create} options={options} isMain />
        </Form>
        <p>
          <a href={context.href(accountPath)}>{words.cancel}</a>
        </p>
      </section>
      <PasskeyScript nonce={context.nonce} />
    </>
  );
}

/** One passkey, and its end. */
export function RemoveView({
  context,
  words,
  passkey: { id, name, createdAt, usedAt },
  site,
  problem,
}: Common & {
  readonly passkey: Passkey;
  readonly site: PasskeySite | undefined;
  readonly problem: string | undefined;
}) {
  const moment = momentsOf(context);
  return (
    <>
      <h1>{words.removeTitle(name)}</h1>
      <section class="card">
        <Facts
          facts={[
            [words.made, moment(createdAt)],
            [words.used, usedAt === null ? words.never : moment(usedAt)],
          ]}
        />
        <p>{words.removeWhat}</p>
        <Form context={context} path={`${passkeysPath}/${id}/remove`}>
          <CodeField id="code" label={words.code} hint={words.codeHint} problem={problem} />
          <button class="danger">{words.remove}</button>
          {site !== undefined && (
            <PasskeyButton
              words={words}
              site={site}
              label={words.useFor.remove}
              ask={context.href(`${passkeysPath}/${id}/challenge`)}
            />
          )}
        </Form>
        <p>
          <a href={context.href(accountPath)}>{words.back}</a>
        </p>
      </section>
      {site !== undefined && <PasskeyScript nonce={context.nonce} />}
    </>
  );
}

function momentsOf({ words, company }: ScreenContext): (at: Date) => string {
  return (at) => formatShortMoment(words, company.timeZone, at);
}
