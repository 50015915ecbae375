import { type AccessRequest, requestIdPrefix } from "../../../access/request.ts";
import { companyIdPrefix } from "../../../companies/company.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { toFrancs } from "../../table.ts";

/** What a request is for, in a few words. */
export function describeRequest(
  request: AccessRequest,
  emails: ReadonlyMap<string, string>,
): string {
  if (!("personId" in request)) {
    const amount = (francs: number | null) => (francs === null ? "no limit" : toFrancs(francs));
    const name = request.kind === "alone_max" ? "alone-max" : "keys-alone-max";
    return `${name} from ${amount(request.fromAmount)} to ${amount(request.toAmount)}`;
  }
  const { personId, fromRole, toRole } = request;
  const person = emails.get(personId) ?? "somebody unknown";
  return fromRole === null
    ? `${person} joins as ${toRole}`
    : `${person} from ${fromRole} to ${toRole}`;
}

export function toRequestValue(request: AccessRequest, emails: ReadonlyMap<string, string>) {
  return {
    requestId: toPublicId(requestIdPrefix, request.id),
    companyId: toPublicId(companyIdPrefix, request.companyId),
    kind: request.kind,
    what: describeRequest(request, emails),
    requestedBy: emails.get(request.requestedBy) ?? null,
    state: request.state,
    createdAt: request.createdAt.toISOString(),
    expiresAt: request.expiresAt.toISOString(),
  };
}
