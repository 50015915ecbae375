import type { FastifyReply } from "fastify";
import {
  createKey,
  type IssuedKey,
  isGoodKey,
  keyIdPrefix,
  listKeys,
  replaceKey,
  revokeKey,
} from "../../companies/credentials.ts";
import { TooManyKeys } from "../../companies/errors.ts";
import { RouteNotFound } from "../../http/errors.ts";
import type { App } from "../../http/server.ts";
import { parsePublicId } from "../../kernel/ids.ts";
import { normalized } from "../../kernel/normalized.ts";
import type { ScreenContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { action, screen } from "../screen.ts";
import { developerWords } from "../words/developers.ts";
import { KeyView } from "./key-view.tsx";
import { KeysView, type ShownKey } from "./keys-view.tsx";
import { readEnd } from "./read-end.ts";
import { Tabs } from "./tabs.tsx";

const path = "/console/developers";
const may = "keys.manage";
const nameMax = 60;

/** The company's keys: new ones, one in place of another, and an end to one. */
export function keyScreens(app: App, parts: ConsoleParts): void {
  const { database, signals, box, clock, config } = parts;
  const { keysMax } = config.quotas;
  const one = `${path}/keys/:id`;

  screen(app, parts, path, { may }, (context) => showKeys(parts, context));

  action(app, parts, `${path}/keys`, { may, proof: "fresh" }, async (context) => {
    const { form, company, by, language } = context;
    const words = developerWords[language];
    const name = readName(form.get("name") ?? "");
    if (name === undefined) return showKeys(parts, context, words.nameProblem);
    const request = { companyId: company.id, name };
    return unlessTooMany(
      async () =>
        showNewKey(context, await createKey(database, signals, box, clock(), request, by, keysMax)),
      () => showKeys(parts, context, words.tooMany),
    );
  });

  screen(app, parts, one, { may }, async (context) =>
    showKey(context, await findKey(parts, context), clock()),
  );

  action(app, parts, `${one}/rotate`, { may, proof: "fresh" }, async (context) => {
    const { form, company, by, language } = context;
    const words = developerWords[language];
    const key = await findKey(parts, context);
    const now = clock();
    const endsAt = readEnd(form, now, company.timeZone);
    if (endsAt === undefined) return showKey(context, key, now, words.overlapProblem);
    const request = { companyId: company.id, keyId: key.key_id, endsAt };
    return unlessTooMany(
      async () =>
        showNewKey(context, await replaceKey(database, signals, box, now, request, by, keysMax)),
      () => showKey(context, key, now, words.tooMany),
    );
  });

  action(app, parts, `${one}/revoke`, { may, proof: "fresh" }, async (context) => {
    const { key_id: keyId } = await findKey(parts, context);
    await revokeKey(database, signals, keyId, context.by);
    const text = developerWords[context.language].revokedNow;
    return context.seeOther(path, { kind: "good", text });
  });
}

/** Without what cannot be seen; undefined: nothing is left, or too much. */
function readName(typed: string): string | undefined {
  const name = normalized(typed, "NFC")
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .trim();
  return name.length >= 1 && name.length <= nameMax ? name : undefined;
}

async function unlessTooMany(
  work: () => Promise<FastifyReply>,
  say: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooManyKeys) return say();
    throw error;
  }
}

async function showKeys(
  { database, clock }: ConsoleParts,
  context: ScreenContext,
  problem?: string,
): Promise<FastifyReply> {
  const words = developerWords[context.language];
  const keys = (await listKeys(database, context.company.id)).toReversed();
  return context.send({
    title: words.keys,
    content: (
      <KeysView context={context} words={words} keys={keys} now={clock()} problem={problem} />
    ),
    ...(problem === undefined ? {} : { status: 422, isProblem: true }),
  });
}

function showKey(
  context: ScreenContext,
  key: ShownKey,
  now: Date,
  problem?: string,
): Promise<FastifyReply> {
  const words = developerWords[context.language];
  return context.send({
    title: words.manageTitle(key.name ?? words.unnamed),
    content: <KeyView context={context} words={words} shown={key} now={now} problem={problem} />,
    ...(problem === undefined ? {} : { status: 422, isProblem: true }),
  });
}

/** Shown this once: it is kept as a hash and a ciphertext. */
function showNewKey(
  context: ScreenContext,
  { accessToken, secretKey }: IssuedKey,
): Promise<FastifyReply> {
  const { send, href, language } = context;
  const words = developerWords[language];
  return send({
    title: words.newTitle,
    content: (
      <>
        <Tabs context={context} />
        <h1>{words.newTitle}</h1>
        <p>{words.newWhat}</p>
        <h2>{words.accessToken}</h2>
        <p class="secret">{accessToken}</p>
        <h2>{words.secretKey}</h2>
        <p class="secret">{secretKey}</p>
        <p>
          <a class="button" href={href(path)}>
            {words.back}
          </a>
        </p>
      </>
    ),
  });
}

/** A good key of this company; every other one is as unknown as none. */
async function findKey(
  { database, clock }: ConsoleParts,
  context: ScreenContext,
): Promise<ShownKey> {
  const id = parsePublicId(keyIdPrefix, context.params["id"] ?? "");
  const keys = await listKeys(database, context.company.id);
  const found = keys.find((key) => key.key_id === id && isGoodKey(key, clock()));
  if (found === undefined) throw new RouteNotFound();
  return found;
}
