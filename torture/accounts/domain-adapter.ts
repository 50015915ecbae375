import { acceptLink } from "../../src/access/accept-link.ts";
import { confirmRequest, refuseRequest } from "../../src/access/decide-requests.ts";
import { findLink, invite, resetPerson } from "../../src/access/links.ts";
import { changeRole, removeByOperator, removeMember } from "../../src/access/members.ts";
import { askForRule } from "../../src/access/rules.ts";
import { approve, refuse } from "../../src/approvals/decide.ts";
import { propose } from "../../src/approvals/propose.ts";
import { createKey } from "../../src/companies/credentials.ts";
import type { Tx } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { DomainError } from "../../src/kernel/domain-error.ts";
import { OperatorError } from "../../src/kernel/operator-error.ts";
import type { SecretBox } from "../../src/kernel/secret-box.ts";
import { confirmSignIn, signIn } from "../../src/staff/login.ts";
import { lockPerson, membershipsOf } from "../../src/staff/people.ts";
import { pendingSecret, setSecondFactor, useSecondFactor } from "../../src/staff/second-factor.ts";
import {
  changeCompany,
  findSession,
  lacksSecondFactor,
  proveSession,
} from "../../src/staff/sessions.ts";
import { signInByLink } from "../../src/staff/sign-in-by-link.ts";
import { stepAt, totpCodeAt } from "../../src/staff/totp.ts";
import { operator } from "../../src/trail/actor.ts";
import type { Adapter, Answer, At } from "./adapter.ts";
import { actorOf, browserOf, doorOf, type Node, Refused } from "./door.ts";
import { look } from "./look.ts";

const keysMax = 1_000;
const by = operator("torture accounts");

/** The functions behind the pages, called directly, after the same looks at session and role as a page has. */
export function domainAdapter(nodes: readonly Node[], box: SecretBox): Adapter {
  let payments = 0;
  const { nodeOf, findOpen, enter, enterAsOperator, memberOf } = doorOf(nodes);

  return {
    signIn: (at, email, password) =>
      answer(async () => {
        const given = await signIn(nodeOf(at).database, at.now, { email, password }, browserOf(at));
        if (given.kind !== "session") throw new Refused(given.kind);
        return { session: given.token, isOpen: given.isOpen };
      }),

    confirmSignIn: (at, token, secret) =>
      answer(async () => {
        const { database } = nodeOf(at);
        const session = await findSession(database, token);
        if (session === undefined || session.isOpen) throw new Refused("no such session");
        const half = { token, session };
        const proof = async () => ({ kind: "code", code: codeOf(secret, at) }) as const;
        const given = await confirmSignIn(database, box, at.now, half, proof, browserOf(at));
        if (given.kind !== "session") throw new Refused(given.kind);
        return { session: given.token, isOpen: given.isOpen };
      }),

    setFactor: (at, token, current) =>
      answer(async () => {
        const session = await findOpen(at, token);
        const { person } = session;
        const secret = pendingSecret(box, token, person);
        const hex = secret.toString("hex");
        const codes = await nodeOf(at).database.transaction(async (tx) => {
          await lockPerson(tx, person.id);
          if ((await findSession(tx, token)) === undefined) return undefined;
          const actor = actorOf(at, session);
          const typed = current === undefined ? "" : codeOf(current, at);
          if (
            person.hasSecondFactor &&
            !(await useSecondFactor(tx, box, at.now, person, typed, actor))
          )
            return undefined;
          return setSecondFactor(tx, box, at.now, person, secret, codeOf(hex, at), actor);
        });
        if (codes === undefined) throw new Refused("wrong code");
        return { secret: hex };
      }),

    stepUp: (at, token, secret) =>
      answer(async () => {
        const session = await findOpen(at, token);
        const proved = await nodeOf(at).database.transaction(async (tx) => {
          const { person } = session;
          const code = codeOf(secret, at);
          if (!(await useSecondFactor(tx, box, at.now, person, code, actorOf(at, session))))
            return false;
          await proveSession(tx, token);
          return true;
        });
        if (!proved) throw new Refused("wrong code");
        return {};
      }),

    goStale: (at, token) =>
      answer(async () => {
        const { id } = await findOpen(at, token);
        await nodeOf(at).database.execute(sql`
          update staff_sessions set proved_at = proved_at - interval '6 minutes' where session_id = ${id}`);
        return {};
      }),

    chooseCompany: (at, token, companyId) =>
      answer(async () => {
        const session = await findOpen(at, token);
        if (lacksSecondFactor(session)) throw new Refused("second factor missing");
        const { database } = nodeOf(at);
        const known = await membershipsOf(database, session.person.id);
        if (!known.some((one) => one.companyId === companyId)) throw new Refused("no member");
        await changeCompany(database, token, companyId);
        return {};
      }),

    invite: (at, token, email, role) =>
      answer(async () => {
        const context = await enter(at, token, "team.manage");
        const request = { email, companyId: context.companyId, role };
        const made = await invite(nodeOf(at).database, at.now, request, context.by);
        return { link: made.token };
      }),

    useLink: (at, token, visitor) =>
      answer(async () => {
        const { database } = nodeOf(at);
        const as =
          visitor.kind === "new"
            ? { kind: "new" as const, password: visitor.stretched }
            : { kind: "signedIn" as const, sessionToken: visitor.session };
        const joined = await acceptLink(database, at.now, token, as, browserOf(at));
        if (joined === undefined) throw new Refused("no such link");
        return { session: joined.token, isOpen: true, request: joined.requestId };
      }),

    signInByLink: (at, token, password) =>
      answer(async () => {
        const { database } = nodeOf(at);
        const link = await findLink(database, token);
        if (link === undefined || link.purpose === "reset") throw new Refused("no such link");
        const typed = { email: link.email, password };
        const given = await signInByLink(database, at.now, typed, browserOf(at), link.id);
        if (given.kind !== "session") throw new Refused(given.kind);
        return { session: given.token, isOpen: given.isOpen };
      }),

    removeMember: (at, token, email) =>
      answer(async () => {
        const context = await enter(at, token, "team.manage");
        const personId = await memberOf(at, context.companyId, email);
        const { database } = nodeOf(at);
        const refusal = await removeMember(database, context.companyId, personId, context.by);
        if (refusal !== undefined) throw new Refused(refusal);
        return {};
      }),

    changeRole: (at, token, email, role) =>
      answer(async () => {
        const context = await enter(at, token, "team.manage");
        const personId = await memberOf(at, context.companyId, email);
        const change = { companyId: context.companyId, personId, role };
        const changed = await changeRole(nodeOf(at).database, at.now, change, context.by);
        if (changed === "done") return { request: undefined };
        if (typeof changed === "string") throw new Refused(changed);
        return { request: changed.requestId };
      }),

    changeRule: (at, token, amount) =>
      answer(async () => {
        const { companyId, by: actor } = await enter(at, token, "team.manage");
        const wanted = { rule: "alone_max", amount } as const;
        const given = await askForRule(nodeOf(at).database, at.now, companyId, wanted, actor);
        return { request: given === "done" ? undefined : given.requestId };
      }),

    decideRequest: (at, token, requestId, verdict) =>
      answer(async () => {
        const { person, companyId: own } = await findOpen(at, token);
        const asOperator = own === null && person.isOperator;
        const context = asOperator
          ? await enterAsOperator(at, token, verdict === "confirm")
          : await enter(at, token, "team.manage", verdict === "confirm");
        const decide = verdict === "confirm" ? confirmRequest : refuseRequest;
        const companyId = asOperator ? undefined : context.companyId;
        await decide(nodeOf(at).database, { requestId, companyId }, context.by);
        return {};
      }),

    createKey: (at, token) =>
      answer(async () => {
        const context = await enter(at, token, "keys.manage");
        const { database, signals } = nodeOf(at);
        const request = { companyId: context.companyId, name: "model" };
        await createKey(database, signals, box, at.now, request, context.by, keysMax);
        return {};
      }),

    propose: (at, token, amount) =>
      answer(async () => {
        const context = await enter(at, token, "transfers.propose");
        payments += 1;
        const { id, hash, state } = await propose(nodeOf(at).desk, {
          companyId: context.companyId,
          by: context.by,
          title: `payment ${payments}`,
          asked: {
            kind: "transfer",
            subCompanyId: null,
            msisdn: "221771234567",
            amount,
            reference: `payment-${payments}`,
            description: null,
          },
        });
        return { id, hash, isWaiting: state === "waiting" };
      }),

    decide: (at, token, proposal, verdict, secret) =>
      answer(async () => {
        const { companyId, person, by: actor } = await enter(at, token, "approvals.decide");
        const request = {
          companyId,
          proposalId: proposal.id,
          by: actor,
          reviewedHash: proposal.hash,
          checkPerson: async (tx: Tx) => {
            if (!(await useSecondFactor(tx, box, at.now, person, codeOf(secret, at), actor)))
              throw new Refused("wrong code");
          },
        };
        const { desk } = nodeOf(at);
        if (verdict === "approve") await approve(desk, request);
        else await refuse(desk, { ...request, comment: "no" });
        return {};
      }),

    inviteByOperator: (at, email, companyId, role) =>
      answer(async () => {
        const request = { email, companyId, role };
        return { link: (await invite(nodeOf(at).database, at.now, request, by)).token };
      }),

    removeByOperator: (at, email, companyId) =>
      answer(async () => {
        await removeByOperator(nodeOf(at).database, email, companyId, by);
        return {};
      }),

    decideByOperator: (at, requestId, verdict) =>
      answer(async () => {
        const decide = verdict === "confirm" ? confirmRequest : refuseRequest;
        await decide(nodeOf(at).database, { requestId, companyId: undefined }, by);
        return {};
      }),

    reset: (at, email) =>
      answer(async () => ({
        link: (await resetPerson(nodeOf(at).database, at.now, email, by)).token,
      })),

    look: (at, emails, companyIds) => look(nodeOf(at).database, emails, companyIds),
  };
}

/** What the app shows at this moment. */
function codeOf(secret: string, { now }: At): string {
  return totpCodeAt(Buffer.from(secret, "hex"), stepAt(now));
}

async function answer<Value extends object>(work: () => Promise<Value>): Promise<Answer<Value>> {
  try {
    return { isDone: true, ...(await work()) };
  } catch (error) {
    const isRefusal =
      error instanceof Refused || error instanceof DomainError || error instanceof OperatorError;
    if (!isRefusal) throw error;
    return { isDone: false, why: error.message };
  }
}
