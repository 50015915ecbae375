import type { Rule } from "../approvals/rules.ts";
import type { Queryable, Tx } from "../database/database.ts";
import { toPublicId } from "../kernel/ids.ts";
import { emailsOf } from "../staff/people.ts";
import type { CompanyRole } from "../staff/roles.ts";
import type { ConsolePerson, Operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import type { Fields } from "../trail/trail.ts";
import { RequestNotFound, WaitsAlready } from "./errors.ts";
import { type AccessRequest, requestIdPrefix, subjectOf } from "./request.ts";
import {
  closeRequestsAbout,
  insertRequest,
  selectOpenRequests,
  selectRequest,
  selectRequestsAbout,
} from "./requests-store.ts";

const openSeconds = 7 * 86_400;
const listedMax = 200;
const ownMax = 20;

/** What one owner asks for. */
export type Wanted =
  | {
      readonly kind: "membership" | "role";
      readonly personId: string;
      readonly fromRole: CompanyRole | null;
      readonly toRole: CompanyRole;
    }
  | { readonly kind: Rule; readonly fromAmount: number | null; readonly toAmount: number | null };

/** Writes down what waits for a second owner or the operator. Throws WaitsAlready. */
export async function openRequest(
  tx: Tx,
  request: { readonly id: string; readonly companyId: string; readonly requestedBy: string },
  wanted: Wanted,
  by: ConsolePerson,
): Promise<void> {
  const { id, companyId } = request;
  const about =
    "personId" in wanted
      ? { ...wanted, fromAmount: null, toAmount: null }
      : { ...wanted, personId: null, fromRole: null, toRole: null };
  if (!(await insertRequest(tx, { ...request, ...about, seconds: openSeconds })))
    throw new WaitsAlready();
  await recordForCompany(tx, companyId, by, {
    action: "access.requested",
    subject: toPublicId(requestIdPrefix, id),
    to: await fieldsOf(tx, wanted),
  });
}

/**
 * Ends what still waits about somebody's place in a company, once that place is another than the one which was asked about.
 * Nobody could confirm it any more, so nobody is to find it in a list.
 */
export async function endOlderRequests(
  tx: Tx,
  companyId: string,
  personId: string,
  reason: "invited_anew" | "role_changed",
  by: Operator | ConsolePerson,
): Promise<void> {
  for (const { id } of await closeRequestsAbout(tx, personId, companyId, reason))
    await recordForCompany(tx, companyId, by, {
      action: "access.withdrawn",
      subject: toPublicId(requestIdPrefix, id),
      to: { reason },
    });
}

/** A request as the trail names what it is for. */
export async function fieldsOf(database: Queryable, wanted: Wanted): Promise<Fields> {
  if (!("personId" in wanted)) {
    const { kind, toAmount } = wanted;
    return { kind, [kind === "alone_max" ? "aloneMax" : "keysAloneMax"]: toAmount };
  }
  const { kind, personId, toRole } = wanted;
  const email = (await emailsOf(database, [personId])).get(personId) ?? null;
  return { kind, person: email, role: toRole };
}

/** The newest state of a request. Throws RequestNotFound. */
export async function getRequest(
  database: Queryable,
  id: string | undefined,
  /** Undefined: the operator looks. */
  companyId: string | undefined,
): Promise<AccessRequest> {
  const request = id === undefined ? undefined : await selectRequest(database, id);
  if (request === undefined || (companyId !== undefined && request.companyId !== companyId))
    throw new RequestNotFound();
  return request;
}

/** What waits: in one company, or in all, the oldest first. */
export function openRequestsOf(
  database: Queryable,
  companyId: string | undefined,
): Promise<AccessRequest[]> {
  return selectOpenRequests(database, companyId, listedMax);
}

/** The memberships that somebody waits for. */
export async function membershipsWaitedFor(
  database: Queryable,
  personId: string,
): Promise<{ readonly id: string; readonly companyId: string; readonly role: CompanyRole }[]> {
  const requests = await selectRequestsAbout(database, personId, ownMax);
  return requests.flatMap((request) =>
    request.kind === "membership" && request.state === "open"
      ? { id: request.id, companyId: request.companyId, role: request.toRole }
      : [],
  );
}

/** Everybody whom a list of requests names. */
export function peopleOf(requests: readonly AccessRequest[]): string[] {
  return requests.flatMap((request) =>
    [request.requestedBy, subjectOf(request), request.decidedBy].flatMap((id) => id ?? []),
  );
}
