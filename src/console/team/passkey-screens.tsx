import type { FastifyReply } from "fastify";
import { RouteNotFound } from "../../http/errors.ts";
import type { App } from "../../http/server.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { askedInSession, creationOptions, issueChallenge } from "../../staff/challenges.ts";
import {
  type Passkey,
  passkeysPerPersonMax,
  readAttestation,
  readPasskeyName,
} from "../../staff/passkey.ts";
import { passkeySiteOf } from "../../staff/passkey-site.ts";
import { addPasskey, listPasskeys, removePasskey } from "../../staff/passkeys.ts";
import { useProof } from "../../staff/proofs.ts";
import { codesInSession, forgetCodeTries } from "../../staff/tries.ts";
import type { ActionContext, ScreenContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { countSessionCode, noteRefusedCode, readProof, sendChallenge } from "../read-proof.ts";
import { action, screen } from "../screen.ts";
import { Problems } from "../views/field.tsx";
import { passkeyWords } from "../words/passkeys.ts";
import { showAccount } from "./account-view.tsx";
import { CreateView, RemoveView } from "./passkeys-view.tsx";
import { accountPath, passkeysPath } from "./paths.ts";

const anyone = { may: "anyone" } as const;
/** The code or the signature of these forms is for them alone. */
const byOwnProof = { may: "anyone", proof: "own" } as const;
/** Challenges change nothing. */
const asking = { may: "anyone", proof: "none" } as const;

/** Where people add passkeys to their own account, and remove them: each time they prove anew who they are. */
export function passkeyScreens(app: App, parts: ConsoleParts): void {
  const { database, box, clock, settings } = parts;
  const site = passkeySiteOf(settings.publicUrl);

  action(app, parts, `${passkeysPath}/challenge`, asking, async (context) => {
    const { person, session, sessionToken, reply } = context;
    const asked = askedInSession("add", person.id, sessionToken);
    return sendChallenge(parts, reply, asked, codesInSession(session.id));
  });

  // What the next page makes the passkey with is given in the transaction that uses the proof up.
  action(app, parts, passkeysPath, byOwnProof, async (context) => {
    const { form, person, sessionToken, by, language } = context;
    const words = passkeyWords[language];
    const passkeys = await listPasskeys(database, person.id);
    if (site === undefined || !person.hasSecondFactor || passkeys.length >= passkeysPerPersonMax) {
      const text = site === undefined ? words.notHere : words.factorFirst;
      return showAccount(parts, context, {
        field: "name",
        text: passkeys.length >= passkeysPerPersonMax ? words.full : text,
      });
    }
    const name = readPasskeyName(form.get("name") ?? "");
    if (name === undefined)
      return showAccount(parts, context, { field: "name", text: words.nameProblem });
    await countSessionCode(parts, context);
    const proof = await readProof(parts, form);
    const given = await database.transaction(async (tx) => {
      const asked = askedInSession("add", person.id, sessionToken);
      const answer = await useProof(tx, box, clock(), person, proof, asked, by);
      if (answer !== "good") return { answer };
      const create = askedInSession("create", person.id, sessionToken, name);
      return { answer, challenge: await issueChallenge(tx, create) };
    });
    if (given.challenge === undefined) {
      await noteRefusedCode(parts, context.request, context.session, by, proof.kind);
      const text = refusalOf(context, given.answer);
      return showAccount(parts, context, { field: "code", text });
    }
    await forgetCodeTries(database, codesInSession(context.session.id));
    const issuer = settings.operator.name;
    const options = creationOptions(site, issuer, person, given.challenge, passkeys);
    const content = (
      <CreateView context={context} words={words} site={site} name={name} options={options} />
    );
    return context.send({ title: words.createTitle, content });
  });

  action(app, parts, `${passkeysPath}/create`, byOwnProof, async (context) => {
    const { form, person, sessionToken, by, language, seeOther } = context;
    const words = passkeyWords[language];
    const made = readAttestation((field) => form.get(field) ?? "");
    const asked = askedInSession("create", person.id, sessionToken);
    const answer =
      site === undefined || made === undefined
        ? "refused"
        : await addPasskey(database, site, clock(), person, made, asked, by);
    if (typeof answer === "object")
      return seeOther(accountPath, { kind: "good", text: words.added(answer.name) });
    const text = { refused: words.createRefused, known: words.known, full: words.full }[answer];
    return showAccount(parts, context, { field: "name", text });
  });

  screen(app, parts, `${passkeysPath}/:id`, anyone, async (context) =>
    showOne(context, await findOwn(context)),
  );

  action(app, parts, `${passkeysPath}/:id/challenge`, asking, async (context) => {
    const { person, session, sessionToken, reply } = context;
    const { id } = await findOwn(context);
    const asked = askedInSession("remove", person.id, sessionToken, id);
    return sendChallenge(parts, reply, asked, codesInSession(session.id));
  });

  action(app, parts, `${passkeysPath}/:id/remove`, byOwnProof, async (context) => {
    const { form, person, sessionToken, by, language, seeOther } = context;
    const passkey = await findOwn(context);
    await countSessionCode(parts, context);
    const proof = await readProof(parts, form);
    const answer = await database.transaction(async (tx) => {
      const asked = askedInSession("remove", person.id, sessionToken, passkey.id);
      const proved = await useProof(tx, box, clock(), person, proof, asked, by);
      if (proved === "good") await removePasskey(tx, person, passkey.id, sessionToken, by);
      return proved;
    });
    if (answer !== "good") {
      await noteRefusedCode(parts, context.request, context.session, by, proof.kind);
      return showOne(context, passkey, { text: refusalOf(context, answer) });
    }
    await forgetCodeTries(database, codesInSession(context.session.id));
    const text = passkeyWords[language].removed(passkey.name);
    return seeOther(accountPath, { kind: "good", text });
  });

  /** Somebody else's is as unknown as none. */
  async function findOwn({ params, person }: ScreenContext): Promise<Passkey> {
    const id = parseUuid(params["id"] ?? "");
    const passkey = (await listPasskeys(database, person.id)).find((one) => one.id === id);
    if (passkey === undefined) throw new RouteNotFound();
    return passkey;
  }

  function showOne(
    context: ScreenContext,
    passkey: Passkey,
    problem?: { readonly text: string },
  ): Promise<FastifyReply> {
    const words = passkeyWords[context.language];
    const view = (
      <>
        {problem !== undefined && (
          <Problems
            title={context.words.problem}
            problems={[{ field: "code", text: problem.text }]}
          />
        )}
        <RemoveView
          context={context}
          words={words}
          passkey={passkey}
          site={site}
          problem={problem?.text}
        />
      </>
    );
    return context.send({
      title: words.removeTitle(passkey.name),
      content: view,
      mayAsk: true,
      ...(problem === undefined ? {} : { status: 422, isProblem: true }),
    });
  }
}

function refusalOf({ form, language }: ActionContext, answer: string): string {
  const words = passkeyWords[language];
  if (answer === "copied") return words.copied;
  return form.has("signature") ? words.refused : words.codeRefused;
}
