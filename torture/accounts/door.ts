import type { Desk } from "../../src/approvals/desk.ts";
import type { Database } from "../../src/database/database.ts";
import type { Signals } from "../../src/database/signals.ts";
import type { Browser } from "../../src/staff/login.ts";
import { findPersonByEmail, membershipsOf } from "../../src/staff/people.ts";
import { type Permission, roleMay } from "../../src/staff/roles.ts";
import { type FoundSession, findSession, lacksSecondFactor } from "../../src/staff/sessions.ts";
import type { ConsolePerson } from "../../src/trail/actor.ts";
import type { At } from "./adapter.ts";

/** One of the processes that serve the installation. */
export interface Node {
  readonly database: Database;
  readonly desk: Desk;
  readonly signals: Signals;
}

export class Refused extends Error {}

const via = "torture accounts";

/** The looks at session, role and second factor that every page of the console has before anything else. */
export function doorOf(nodes: readonly Node[]) {
  function nodeOf({ node }: At): Node {
    const found = nodes[node % nodes.length];
    if (found === undefined) throw new Error("there is no such node");
    return found;
  }

  /** As the console lets somebody in who may do this in the company of the session. */
  async function enter(
    at: At,
    token: string,
    permission: Permission,
    takesFresh = permission === "team.manage" || permission === "keys.manage",
  ) {
    const session = await findOpen(at, token);
    if (lacksSecondFactor(session)) throw new Refused("second factor missing");
    const { companyId, role, person } = session;
    if (companyId === null || role === null) throw new Refused("no member");
    if (!roleMay(role, permission)) throw new Refused(`${role} may not`);
    if (takesFresh && !session.isFresh) throw new Refused("no fresh second factor");
    return { companyId, person, by: actorOf(at, session) };
  }

  async function enterAsOperator(at: At, token: string, takesFresh: boolean) {
    const session = await findOpen(at, token);
    if (takesFresh && !session.isFresh) throw new Refused("no fresh second factor");
    if (lacksSecondFactor(session)) throw new Refused("second factor missing");
    if (!session.person.isOperator) throw new Refused("no operator");
    const actor = { ...actorOf(at, session), isOperator: true } as const;
    return { companyId: undefined, by: actor };
  }

  async function findOpen(at: At, token: string): Promise<FoundSession> {
    const session = await findSession(nodeOf(at).database, token);
    if (session === undefined) throw new Refused("no session");
    if (!session.isOpen) throw new Refused("second step missing");
    return session;
  }

  async function memberOf(at: At, companyId: string, email: string): Promise<string> {
    const person = await findPersonByEmail(nodeOf(at).database, email);
    const memberships = person && (await membershipsOf(nodeOf(at).database, person.id));
    if (person === undefined || !memberships?.some((one) => one.companyId === companyId))
      throw new Refused("no such member");
    return person.id;
  }

  return { nodeOf, findOpen, enter, enterAsOperator, memberOf };
}

export function actorOf({ address }: At, { id, person }: FoundSession): ConsolePerson {
  return { personId: person.id, sessionId: id, address, via };
}

export function browserOf({ address }: At): Browser {
  return { address, device: "model", secret: undefined, via };
}
