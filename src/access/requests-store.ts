import type { Queryable, Tx } from "../database/database.ts";
import { type Query, sql } from "../database/sql.ts";
import type { CompanyRole } from "../staff/roles.ts";
import type { AccessRequest, RequestState } from "./request.ts";

interface RequestRow {
  readonly id: string;
  readonly company_id: string;
  readonly kind: AccessRequest["kind"];
  readonly person_id: string | null;
  readonly from_role: CompanyRole | null;
  readonly to_role: CompanyRole | null;
  readonly from_amount: number | null;
  readonly to_amount: number | null;
  readonly requested_by: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly state: RequestState;
  readonly decided_by: string | null;
  readonly decided_operator: string | null;
  readonly decided_at: Date | null;
  readonly reason: string | null;
}

// What has expired is over, whether or not somebody has written it down.
const columns = sql`
  id, company_id, kind, person_id, from_role, to_role, from_amount, to_amount, requested_by, created_at, expires_at,
  case when state = 'open' and expires_at <= now() then 'expired' else state end as state, decided_by, decided_operator, decided_at, reason`;
const isOpen = sql`state = 'open' and expires_at > now()`;

export interface NewRequest {
  readonly id: string;
  readonly companyId: string;
  readonly kind: AccessRequest["kind"];
  readonly personId: string | null;
  readonly fromRole: CompanyRole | null;
  readonly toRole: CompanyRole | null;
  readonly fromAmount: number | null;
  readonly toAmount: number | null;
  readonly requestedBy: string;
  readonly seconds: number;
}

/** False when the same is asked for already. */
export async function insertRequest(tx: Tx, request: NewRequest): Promise<boolean> {
  const { companyId, kind, personId } = request;
  await tx.query(sql`
    update access_requests set state = 'expired', decided_at = now()
    where company_id = ${companyId} and kind = ${kind} and person_id is not distinct from ${personId}::uuid
      and state = 'open' and expires_at <= now()`);
  const rows = await tx.query(sql`
    insert into access_requests (
      id, company_id, kind, person_id, from_role, to_role, from_amount, to_amount, requested_by, expires_at)
    values (
      ${request.id}, ${companyId}, ${kind}, ${personId}, ${request.fromRole}, ${request.toRole}, ${request.fromAmount},
      ${request.toAmount}, ${request.requestedBy}, now() + make_interval(secs => ${request.seconds}))
    on conflict do nothing returning 1`);
  return rows.length === 1;
}

export async function selectRequest(
  database: Queryable,
  id: string,
): Promise<AccessRequest | undefined> {
  const [row] = await database.query<RequestRow>(sql`
    select ${columns} from access_requests where id = ${id}`);
  return row && toRequest(row);
}

/** The same, and nobody else decides about it until the commit. */
export async function lockRequest(tx: Tx, id: string): Promise<AccessRequest | undefined> {
  const [row] = await tx.query<RequestRow>(sql`
    select ${columns} from access_requests where id = ${id} for update`);
  return row && toRequest(row);
}

export async function selectOpenRequests(
  database: Queryable,
  companyId: string | undefined,
  limit: number,
): Promise<AccessRequest[]> {
  const ofCompany: Query = companyId === undefined ? sql`true` : sql`company_id = ${companyId}`;
  const rows = await database.query<RequestRow>(sql`
    select ${columns} from access_requests where ${ofCompany} and ${isOpen} order by id limit ${limit}`);
  return rows.map(toRequest);
}

/** The memberships that somebody waits for, or has waited for lately. */
export async function selectRequestsAbout(
  database: Queryable,
  personId: string,
  limit: number,
): Promise<AccessRequest[]> {
  const rows = await database.query<RequestRow>(sql`
    select ${columns} from access_requests
    where person_id = ${personId} and kind = 'membership' order by id desc limit ${limit}`);
  return rows.map(toRequest);
}

export async function updateRequest(
  tx: Tx,
  id: string,
  decision: {
    readonly state: Exclude<RequestState, "open" | "expired">;
    readonly decidedBy: string | null;
    readonly operator: string | null;
    readonly introducers: readonly string[];
    readonly reason: string | null;
  },
): Promise<void> {
  await tx.query(sql`
    update access_requests set state = ${decision.state}, decided_by = ${decision.decidedBy},
      decided_operator = ${decision.operator}, introducers = ${decision.introducers}::uuid[], decided_at = now(),
      reason = ${decision.reason}
    where id = ${id}`);
}

/** Those that somebody has asked for, or that concern them: in one company, or in all. */
export async function closeRequestsOf(
  tx: Tx,
  personId: string,
  companyId: string | undefined,
  reason: string,
): Promise<AccessRequest[]> {
  const inCompany = sql`(${companyId ?? null}::uuid is null or company_id = ${companyId ?? null}::uuid)`;
  const rows: RequestRow[] = [];
  // One after the other: each has an index of its own.
  for (const whose of [sql`requested_by = ${personId}`, sql`person_id = ${personId}`])
    rows.push(
      ...(await tx.query<RequestRow>(sql`
        update access_requests set state = 'withdrawn', decided_at = now(), reason = ${reason}
        where ${whose} and state = 'open' and ${inCompany} returning ${columns}`)),
    );
  return rows.map(toRequest);
}

/** Withdraws the open requests for a person's membership or role in a company. */
export async function closeRequestsAbout(
  tx: Tx,
  personId: string,
  companyId: string,
  reason: string,
): Promise<AccessRequest[]> {
  const rows = await tx.query<RequestRow>(sql`
    update access_requests set state = 'withdrawn', decided_at = now(), reason = ${reason}
    where person_id = ${personId} and company_id = ${companyId} and state = 'open' returning ${columns}`);
  return rows.map(toRequest);
}

/** Those about a rule that has changed meanwhile. */
export async function closeRequestsAboutRule(
  tx: Tx,
  companyId: string,
  kind: "alone_max" | "keys_alone_max",
  reason: string,
): Promise<AccessRequest[]> {
  const rows = await tx.query<RequestRow>(sql`
    update access_requests set state = 'withdrawn', decided_at = now(), reason = ${reason}
    where company_id = ${companyId} and kind = ${kind} and state = 'open' returning ${columns}`);
  return rows.map(toRequest);
}

function toRequest(row: RequestRow): AccessRequest {
  const common = {
    id: row.id,
    companyId: row.company_id,
    requestedBy: row.requested_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    state: row.state,
    decidedBy: row.decided_by,
    decidedOperator: row.decided_operator,
    decidedAt: row.decided_at,
    reason: row.reason,
  };
  const { kind, person_id: personId, from_role: fromRole, to_role: toRole } = row;
  if (kind === "alone_max" || kind === "keys_alone_max")
    return { ...common, kind, fromAmount: row.from_amount, toAmount: row.to_amount };
  if (personId === null || toRole === null) throw new Error("the database keeps them together");
  return { ...common, kind, personId, fromRole, toRole };
}
