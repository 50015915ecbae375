import { RouteNotFound } from "../../http/errors.ts";
import type { App } from "../../http/server.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { formatWait } from "../../pages/format.ts";
import { changePassword, endOtherSessions, endOwnSession } from "../../staff/members.ts";
import { passwordProblemOf } from "../../staff/passwords.ts";
import { checkOwnPassword } from "../../staff/people.ts";
import { countPasswordTry } from "../../staff/tries.ts";
import type { ConsoleParts } from "../parts.ts";
import { action, screen } from "../screen.ts";
import { loginWords } from "../words/login.ts";
import { teamWords } from "../words/team.ts";
import { showAccount } from "./account-view.tsx";
import { accountPath as path } from "./paths.ts";

/** A person's own sessions, password and second factor. */
export function accountScreens(app: App, parts: ConsoleParts): void {
  const { database } = parts;

  screen(app, parts, path, { may: "anyone" }, (context) => showAccount(parts, context));

  action(app, parts, `${path}/end`, { may: "anyone" }, async (context) => {
    const { form, person, by, language, session } = context;
    const sessionId = parseUuid(form.get("session") ?? "");
    if (sessionId === undefined) throw new RouteNotFound();
    if (!(await endOwnSession(database, person, sessionId, by))) throw new RouteNotFound();
    if (sessionId === session.id) return context.seeOther("/console/login?left=1");
    return context.seeOther(path, { kind: "good", text: teamWords[language].ended });
  });

  action(app, parts, `${path}/end-others`, { may: "anyone" }, async (context) => {
    const { person, by, language, sessionToken } = context;
    await endOtherSessions(database, person, sessionToken, by);
    return context.seeOther(path, { kind: "good", text: teamWords[language].othersEnded });
  });

  action(app, parts, `${path}/password`, { may: "anyone" }, async (context) => {
    const { form, person, by, language, sessionToken } = context;
    const login = loginWords[language];
    const wait = await countPasswordTry(database, person.email);
    if (wait !== undefined)
      return showAccount(parts, context, {
        field: "current",
        text: login.wait(formatWait(context.words, wait)),
        status: 429,
      });
    if (!(await checkOwnPassword(database, person.id, form.get("current") ?? "")))
      return showAccount(parts, context, { field: "current", text: login.problems.wrong });
    const password = form.get("password") ?? "";
    const problem =
      passwordProblemOf(password, person.email) ??
      (password === form.get("repeat") ? undefined : "different");
    if (problem !== undefined)
      return showAccount(parts, context, { field: "password", text: login.problems[problem] });
    await changePassword(database, person, password, sessionToken, by);
    return context.seeOther(path, { kind: "good", text: teamWords[language].passwordChanged });
  });
}
