import { approveHeld, type HeldRequest, refuseHeld } from "../../approvals/decide-held.ts";
import { findIntroducer } from "../../approvals/decider.ts";
import { HeldChanged, HeldNotFound } from "../../approvals/errors.ts";
import { findHeld, findKeyMakers } from "../../approvals/find-held.ts";
import { type HeldScope, type HeldSet, writeHeld } from "../../approvals/held.ts";
import type { App } from "../../http/server.ts";
import { codesInSession } from "../../staff/tries.ts";
import { attempt } from "../attempt.ts";
import type { ActionContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { sendChallenge, siteOfPasskeys } from "../read-proof.ts";
import { action, screen } from "../screen.ts";
import { sendFile } from "../send-file.ts";
import { EmptyState } from "../views/empty-state.tsx";
import { approvalsWords } from "../words/approvals.ts";
import { type HeldWords, heldWords } from "../words/held.ts";
import { payrollWords } from "../words/payroll.ts";
import { askedToDecide, decideOnce, personCheck } from "./check-person.ts";
import { HeldReview } from "./held-review.tsx";
import { heldPath, readScope, reviewPath } from "./held-scope.ts";

const look = { may: ["approvals.decide", "transfers.propose"] } as const;
const decide = { may: "approvals.decide", proof: "own" } as const;
const ask = { may: "approvals.decide", proof: "none" } as const;
/** What a passkey signs is named by this and by its hash, which the company and every transfer are in. */
const subject = "held";

/** What came by a key and waits for a person, and the word of that person. */
export function heldScreens(app: App, parts: ConsoleParts): void {
  const { database, desk } = parts;

  screen(app, parts, heldPath, look, async (context) => {
    const { company, language, query, href, person, send } = context;
    const words = heldWords[language];
    const scope = scopeOf(query);
    const held = await findHeld(database, company.id, scope);
    if (held === undefined) {
      if (scope.kind !== "oldest") throw new HeldNotFound();
      const content = (
        <>
          <p>
            <a href={href("/console/approvals")}>{words.back}</a>
          </p>
          <h1>{words.title}</h1>
          <EmptyState title={words.none} text={words.noneText} />
        </>
      );
      return send({ title: words.title, content });
    }
    const makers = await findKeyMakers(database, company.id, held);
    const from = query.get("from") ?? "0";
    const title = titleOf(words, scope, held);
    const isOwn = makers.includes(person.id);
    const introducer = await findIntroducer(database, company.id, person.id, makers);
    const site =
      context.may("approvals.decide") && !isOwn && introducer === undefined
        ? await siteOfPasskeys(parts, person.id)
        : undefined;
    const content = (
      <HeldReview
        context={context}
        words={words}
        shared={payrollWords[language]}
        approvals={approvalsWords[language]}
        title={title}
        scope={scope.kind === "oldest" ? { ...scope, upto: held.lastId } : scope}
        held={held}
        from={/^\d{1,6}$/.test(from) ? Math.min(Number(from), held.rows.length - 1) : 0}
        isOwn={isOwn}
        introducer={introducer}
        site={site}
      />
    );
    return send({ title, content, mayAsk: site !== undefined });
  });

  screen(app, parts, `${heldPath}/content.txt`, look, async ({ company, query, reply }) => {
    const held = await findHeld(database, company.id, scopeOf(query));
    if (held === undefined) throw new HeldNotFound();
    const text = Buffer.from(writeHeld(company.id, held.rows), "utf8");
    return sendFile(reply, `held-${held.hash.slice(0, 8)}.txt`, once(text));
  });

  action(app, parts, `${heldPath}/approve`, decide, async (context) =>
    attempt(context, backOf(context), async () => {
      const { rows } = await decideOnce(parts, context, async () =>
        approveHeld(desk, await requestOf(parts, context, "approve")),
      );
      const text = heldWords[context.language].approved(rows.length);
      return context.seeOther("/console/approvals", { kind: "good", text });
    }),
  );

  action(app, parts, `${heldPath}/refuse`, decide, async (context) =>
    attempt(context, backOf(context), async () => {
      const comment = context.form.get("comment") ?? "";
      const { rows } = await decideOnce(parts, context, async () =>
        refuseHeld(desk, { ...(await requestOf(parts, context, "refuse")), comment }),
      );
      const text = heldWords[context.language].refused(rows.length);
      return context.seeOther("/console/approvals", { kind: "good", text });
    }),
  );

  // For the scripts of both forms: what a passkey is to sign in place of the code.
  for (const purpose of ["approve", "refuse"] as const)
    action(app, parts, `${heldPath}/${purpose}/challenge`, ask, async (context) => {
      await heldOf(parts, context);
      const asked = askedToDecide(purpose, context, subject);
      return sendChallenge(parts, context.reply, asked, codesInSession(context.session.id));
    });
}

function titleOf(words: HeldWords, scope: HeldScope, { rows }: HeldSet): string {
  if (scope.kind === "batch") return words.titleOfBatch;
  return scope.kind === "transfer" ? words.titleOfOne(rows[0]?.reference ?? "") : words.title;
}

/** What a form is about that names nothing that can be: nothing. */
function scopeOf(fields: URLSearchParams): HeldScope {
  const scope = readScope(fields);
  if (scope === undefined) throw new HeldNotFound();
  return scope;
}

/** Where somebody looks again; what is not held any more is not there either. */
function backOf({ form }: ActionContext): string {
  return reviewPath(scopeOf(form));
}

/** What a form is about. What is another company's, or was decided meanwhile, uses up no code. */
async function heldOf({ database }: ConsoleParts, context: ActionContext): Promise<HeldScope> {
  const scope = scopeOf(context.form);
  if ((await findHeld(database, context.company.id, scope)) === undefined)
    throw scope.kind === "oldest" ? new HeldChanged() : new HeldNotFound();
  return scope;
}

async function requestOf(
  parts: ConsoleParts,
  context: ActionContext,
  purpose: "approve" | "refuse",
): Promise<HeldRequest> {
  const { company, by, form } = context;
  const scope = await heldOf(parts, context);
  return {
    companyId: company.id,
    by,
    scope,
    reviewedHash: form.get("hash") ?? "",
    checkPerson: await personCheck(parts, context, askedToDecide(purpose, context, subject)),
  };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
