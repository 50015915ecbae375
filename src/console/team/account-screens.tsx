import { RouteNotFound } from "../../http/errors.ts";
import type { App } from "../../http/server.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { formatWait } from "../../pages/format.ts";
import { changePassword, endOtherSessions, endOwnSession } from "../../staff/members.ts";
import { passwordProblemOf } from "../../staff/passwords.ts";
import { checkOwnPassword } from "../../staff/people.ts";
import { countSessionPasswordTry } from "../../staff/tries.ts";
import type { ActionContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { action, screen } from "../screen.ts";
import type { ProofRefusal } from "../step-up.tsx";
import { loginWords } from "../words/login.ts";
import { teamWords } from "../words/team.ts";
import { showAccount } from "./account-view.tsx";
import { accountPath as path } from "./paths.ts";

/** A person's own sessions, password and second factor. */
export function accountScreens(app: App, parts: ConsoleParts): void {
  const { database } = parts;

  screen(app, parts, path, { may: "anyone" }, (context) => showAccount(parts, context));

  action(app, parts, `${path}/end`, { may: "anyone", proof: "none" }, async (context) => {
    const { form, person, by, language, session } = context;
    const sessionId = parseUuid(form.get("session") ?? "");
    if (sessionId === undefined) throw new RouteNotFound();
    if (!(await endOwnSession(database, person, sessionId, by))) throw new RouteNotFound();
    if (sessionId === session.id) return context.seeOther("/console/login?left=1");
    return context.seeOther(path, { kind: "good", text: teamWords[language].ended });
  });

  action(app, parts, `${path}/end-others`, { may: "anyone", proof: "none" }, async (context) => {
    const { person, by, language, sessionToken } = context;
    await endOtherSessions(database, person, sessionToken, by);
    return context.seeOther(path, { kind: "good", text: teamWords[language].othersEnded });
  });

  const changing = {
    may: "anyone",
    proof: "password",
    again: (context: ActionContext, { status, text }: ProofRefusal) =>
      showAccount(parts, context, { field: "code-password", text, status }),
  } as const;
  action(app, parts, `${path}/password`, changing, async (context) => {
    const { form, person, by, language, sessionToken } = context;
    const login = loginWords[language];
    const wait = await countSessionPasswordTry(database, context.session.id);
    if (wait !== undefined)
      return showAccount(parts, context, {
        field: "current",
        text: login.wait(formatWait(context.words, wait)),
        status: 429,
      });
    const refuse = () =>
      showAccount(parts, context, { field: "current", text: login.problems.wrong });
    const before = await checkOwnPassword(database, person.id, form.get("current") ?? "");
    if (before === undefined) return refuse();
    const password = form.get("password") ?? "";
    const problem =
      passwordProblemOf(password, person.email) ??
      (password === form.get("repeat") ? undefined : "different");
    if (problem !== undefined)
      return showAccount(parts, context, { field: "password", text: login.problems[problem] });
    const isChanged = await changePassword(
      database,
      person,
      { before, password },
      sessionToken,
      by,
    );
    if (!isChanged) return refuse();
    return context.seeOther(path, { kind: "good", text: teamWords[language].passwordChanged });
  });
}
