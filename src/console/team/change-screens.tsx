import type { App } from "../../http/server.ts";
import { acknowledgeChanges, readChanges } from "../../trail/owner-changes.ts";
import type { ConsoleParts } from "../parts.ts";
import { action, screen } from "../screen.ts";
import { Entries, namesOf } from "../trail/trail-screens.tsx";
import { EmptyState } from "../views/empty-state.tsx";
import { Form } from "../views/form.tsx";
import { accessWords } from "../words/access.ts";
import { trailWords } from "../words/trail.ts";
import { changesPath, teamPath } from "./paths.ts";

const owners = { may: "team.manage" } as const;

/** What others have changed of people, roles, keys and rules since an owner last looked. */
export function changeScreens(app: App, parts: ConsoleParts): void {
  const { database } = parts;

  screen(app, parts, changesPath, owners, async (context) => {
    const { company, person, session, language, href } = context;
    const words = accessWords[language];
    const { unseenChanges } = session;
    const entries =
      unseenChanges === 0 ? [] : await readChanges(database, company.id, person.id, unseenChanges);
    return context.send({
      title: words.changesTitle,
      content: (
        <>
          <h1>{words.changesTitle}</h1>
          <p>{words.changesLead}</p>
          {entries.length === 0 ? (
            <EmptyState title={words.changesNone} text="" />
          ) : (
            <>
              <Entries
                context={context}
                words={trailWords[language]}
                entries={entries}
                names={await namesOf(parts, entries)}
              />
              <Form
                context={context}
                path={changesPath}
                fields={{ seen: String(unseenChanges) }}
                submit={words.changesSeen}
              />
            </>
          )}
          <p>
            <a href={href(teamPath)}>{words.back}</a>
          </p>
        </>
      ),
    });
  });

  action(
    app,
    parts,
    changesPath,
    { ...owners, proof: "none" },
    async ({ company, person, form, seeOther, language }) => {
      const seen = Number(/^\d{1,9}$/.exec(form.get("seen") ?? "")?.[0] ?? 0);
      await acknowledgeChanges(database, company.id, person.id, seen);
      return seeOther(teamPath, { kind: "good", text: accessWords[language].changesAcknowledged });
    },
  );
}
