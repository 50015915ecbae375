import type { FastifyReply } from "fastify";
import {
  type IssuedKey,
  keyIdPrefix,
  listKeys,
  revokeKey,
  rotateKey,
} from "../../companies/credentials.ts";
import { TooManyKeys } from "../../companies/errors.ts";
import { RouteNotFound } from "../../http/errors.ts";
import type { App } from "../../http/server.ts";
import { parsePublicId } from "../../kernel/ids.ts";
import type { ScreenContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { action, screen } from "../screen.ts";
import { Form } from "../views/form.tsx";
import { developerWords } from "../words/developers.ts";
import { isGood, KeysView } from "./keys-view.tsx";

const path = "/console/developers";
const may = "keys.manage";

/** The company's keys: a new one beside those there are, and an end to one. */
export function keyScreens(app: App, parts: ConsoleParts): void {
  const { database, signals, box, clock, config } = parts;

  screen(app, parts, path, { may }, (context) => showKeys(parts, context));

  action(app, parts, `${path}/keys`, { may }, async (context) => {
    const { form, company, by, language } = context;
    const words = developerWords[language];
    const overlap = form.get("overlap") ?? "";
    if (!Object.hasOwn(words.overlaps, overlap))
      return showKeys(parts, context, words.overlapProblem);
    const request = { companyId: company.id, overlapSeconds: Number(overlap) };
    try {
      const { keysMax } = config.quotas;
      const key = await rotateKey(database, signals, box, clock(), request, by, keysMax);
      return await showNewKey(context, key);
    } catch (error) {
      if (error instanceof TooManyKeys) return showKeys(parts, context, words.tooMany);
      throw error;
    }
  });

  screen(app, parts, `${path}/keys/:id`, { may }, async (context) => {
    const words = developerWords[context.language];
    await findKey(parts, context);
    const id = context.params["id"] ?? "";
    const title = words.revokeTitle(id);
    return context.send({
      title,
      content: (
        <>
          <h1>{title}</h1>
          <p>{words.revokeWhat}</p>
          <Form
            context={context}
            path={`${path}/keys/${id}/revoke`}
            submit={words.revoke}
            kind="danger"
          />
          <p>
            <a href={context.href(path)}>{words.back}</a>
          </p>
        </>
      ),
    });
  });

  action(app, parts, `${path}/keys/:id/revoke`, { may }, async (context) => {
    const keyId = await findKey(parts, context);
    await revokeKey(database, signals, keyId, context.by);
    const text = developerWords[context.language].revokedNow;
    return context.seeOther(path, { kind: "good", text });
  });
}

async function showKeys(
  { database, clock }: ConsoleParts,
  context: ScreenContext,
  problem?: string,
): Promise<FastifyReply> {
  const words = developerWords[context.language];
  const keys = (await listKeys(database, context.company.id)).toReversed();
  return context.send({
    title: words.title,
    content: (
      <KeysView context={context} words={words} keys={keys} now={clock()} problem={problem} />
    ),
    ...(problem === undefined ? {} : { status: 422, isProblem: true }),
  });
}

/** Shown this once: it is kept as a hash and a ciphertext. */
function showNewKey(
  { send, href, language }: ScreenContext,
  { accessToken, secretKey }: IssuedKey,
): Promise<FastifyReply> {
  const words = developerWords[language];
  return send({
    title: words.newTitle,
    content: (
      <>
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
async function findKey({ database, clock }: ConsoleParts, context: ScreenContext): Promise<string> {
  const id = parsePublicId(keyIdPrefix, context.params["id"] ?? "");
  const keys = await listKeys(database, context.company.id);
  const found = keys.find((key) => key.key_id === id && isGood(key, clock()));
  if (found === undefined) throw new RouteNotFound();
  return found.key_id;
}
