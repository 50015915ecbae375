import type { Database, Tx } from "../database/database.ts";
import { toPublicId } from "../kernel/ids.ts";
import { introducersOf } from "../staff/introducers.ts";
import { emailsOf, joinCompany, lockPerson, lockRole } from "../staff/people.ts";
import { type ConsolePerson, isOperator, type Operator } from "../trail/actor.ts";
import { NotPermitted } from "../trail/errors.ts";
import { recordForCompany } from "../trail/record.ts";
import { requireSession } from "../trail/require-session.ts";
import { lineageOf } from "./accept-link.ts";
import { OwnRequest, RequestClosed, RequestNotFound, RequestOfIntroducer } from "./errors.ts";
import { putRole } from "./members.ts";
import { lockOwners } from "./owners.ts";
import { type AccessRequest, requestIdPrefix, subjectOf } from "./request.ts";
import { fieldsOf } from "./requests.ts";
import { lockRequest, selectRequest, updateRequest } from "./requests-store.ts";
import { putRule } from "./rules.ts";

/** A request, by its id, and why it is decided so. */
export interface RequestDecision {
  readonly requestId: string;
  /** Whose owners' it is; undefined: the operator decides, for whichever company. */
  readonly companyId: string | undefined;
  readonly reason?: string | undefined;
}

/**
 * Puts what one owner has asked for into force. By a second owner, or by the operator; never by whoever asked, by whom it concerns,
 * or by somebody who came into the company through one of them. Throws RequestNotFound, RequestClosed, OwnRequest,
 * RequestOfIntroducer, NotPermitted.
 */
export function confirmRequest(
  database: Database,
  decision: RequestDecision,
  by: Operator | ConsolePerson,
): Promise<AccessRequest> {
  return database.transaction(async (tx) => {
    const request = await lockForDecision(tx, decision, by);
    const introducers = "personId" in by ? await judge(tx, request, by.personId) : [];
    // Before it takes effect, which may end other requests of the person whom it concerns.
    await close(tx, request, "confirmed", decision, by, introducers);
    await putIntoForce(tx, request, by);
    return { ...request, state: "confirmed" };
  });
}

/** Says no. By any other owner, or the operator. */
export function refuseRequest(
  database: Database,
  decision: RequestDecision,
  by: Operator | ConsolePerson,
): Promise<AccessRequest> {
  return database.transaction(async (tx) => {
    const request = await lockForDecision(tx, decision, by);
    if ("personId" in by && by.personId === request.requestedBy) throw new OwnRequest();
    await close(tx, request, "refused", decision, by, []);
    return { ...request, state: "refused" };
  });
}

/** Takes it back. By whoever asked. */
export function withdrawRequest(
  database: Database,
  decision: RequestDecision,
  by: ConsolePerson,
): Promise<AccessRequest> {
  return database.transaction(async (tx) => {
    const request = await lockForDecision(tx, decision, by);
    if (by.personId !== request.requestedBy) throw new NotPermitted();
    await close(tx, request, "withdrawn", decision, by, []);
    return { ...request, state: "withdrawn" };
  });
}

/** Memberships first, then the person, then the request: everybody locks in this order. */
async function lockForDecision(
  tx: Tx,
  { requestId, companyId }: RequestDecision,
  by: Operator | ConsolePerson,
): Promise<AccessRequest> {
  const found = await selectRequest(tx, requestId);
  if (found === undefined || (companyId !== undefined && found.companyId !== companyId))
    throw new RequestNotFound();
  const owners = await lockOwners(tx, found.companyId);
  if (!isOperator(by) && !("personId" in by && owners.includes(by.personId)))
    throw new NotPermitted();
  if ("personId" in by) await requireSession(tx, by);
  const personId = subjectOf(found);
  if (personId !== undefined) await lockPerson(tx, personId);
  const request = await lockRequest(tx, requestId);
  // What somebody asked for who is no owner any more is nobody's wish.
  if (request?.state !== "open" || !owners.includes(request.requestedBy)) throw new RequestClosed();
  return request;
}

/** Throws unless this person is another one than those who are part of the request; answers who let this person in. */
async function judge(tx: Tx, request: AccessRequest, personId: string): Promise<string[]> {
  const parties = [request.requestedBy, subjectOf(request)].flatMap((id) => id ?? []);
  if (parties.includes(personId)) throw new OwnRequest();
  const introducers = await introducersOf(tx, request.companyId, personId);
  const party = parties.find((id) => introducers.includes(id));
  if (party !== undefined)
    throw new RequestOfIntroducer((await emailsOf(tx, [party])).get(party) ?? "");
  return introducers;
}

async function putIntoForce(
  tx: Tx,
  request: AccessRequest,
  by: Operator | ConsolePerson,
): Promise<void> {
  const { companyId, requestedBy } = request;
  if (!("personId" in request)) return putRule(tx, companyId, request, by);
  const { personId, fromRole, toRole } = request;
  const person = await lockPerson(tx, personId);
  const role = await lockRole(tx, companyId, personId);
  if (person === undefined || (role ?? null) !== fromRole) throw new RequestClosed();
  const introducedBy = await lineageOf(tx, companyId, requestedBy);
  if (role === undefined) {
    await joinCompany(tx, person, { companyId, role: toRole }, by, introducedBy);
    return;
  }
  await putRole(tx, companyId, person, role, toRole, by, introducedBy);
}

async function close(
  tx: Tx,
  request: AccessRequest,
  state: "confirmed" | "refused" | "withdrawn",
  { reason }: RequestDecision,
  by: Operator | ConsolePerson,
  introducers: readonly string[],
): Promise<void> {
  await updateRequest(tx, request.id, {
    state,
    decidedBy: "personId" in by ? by.personId : null,
    operator: "operator" in by ? by.operator : null,
    introducers,
    reason: reason ?? null,
  });
  await recordForCompany(tx, request.companyId, by, {
    action: `access.${state}`,
    subject: toPublicId(requestIdPrefix, request.id),
    to: {
      ...(await fieldsOf(tx, request)),
      ...(reason === undefined ? {} : { reason }),
      introducers: introducers.join(" "),
    },
  });
}
