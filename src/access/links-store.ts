import type { Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { CompanyRole } from "../staff/roles.ts";

export interface Link {
  readonly id: string;
  readonly purpose: "join" | "operate" | "reset";
  readonly email: string;
  readonly companyId: string | null;
  readonly role: CompanyRole | null;
  /** A person's id, or the operator's account. */
  readonly invitedBy: string;
  readonly expiresAt: Date;
}

const columns = sql`
  link_id as id, purpose, email, company_id as "companyId", role, invited_by as "invitedBy", expires_at as "expiresAt"`;

/** Takes the place of one that somebody else made for the same at this moment. */
export async function insertLink(
  tx: Tx,
  tokenHash: Buffer,
  link: Omit<Link, "expiresAt"> & { readonly seconds: number },
): Promise<Date> {
  const { id, purpose, email, companyId, role, invitedBy, seconds } = link;
  const [row] = await tx.query<{ expires_at: Date }>(sql`
    insert into staff_links (token_hash, link_id, purpose, email, company_id, role, invited_by, expires_at)
    values (${tokenHash}, ${id}, ${purpose}, ${email}, ${companyId}, ${role}, ${invitedBy},
      now() + make_interval(secs => ${seconds}))
    on conflict (email, purpose, company_id) where used_at is null do update set
      token_hash = excluded.token_hash, link_id = excluded.link_id, role = excluded.role,
      invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at
    returning expires_at`);
  if (row === undefined) throw new Error("a link that was made is there");
  return row.expires_at;
}

/** A link that is still good; it stays so. */
export async function selectLink(
  database: Queryable,
  tokenHash: Buffer,
): Promise<Link | undefined> {
  const [row] = await database.query<Link>(sql`
    select ${columns}
    from staff_links where token_hash = ${tokenHash} and used_at is null and expires_at > now()`);
  return row;
}

/** Uses a link up: the first who comes gets it, and nobody after. */
export async function takeLink(tx: Tx, tokenHash: Buffer): Promise<Link | undefined> {
  const [row] = await tx.query<Link>(sql`
    update staff_links set used_at = now()
    where token_hash = ${tokenHash} and used_at is null and expires_at > now()
    returning ${columns}`);
  return row;
}

/** A company's invitations that nobody has used yet. */
export async function selectInvitations(
  database: Queryable,
  companyId: string,
  limit: number,
): Promise<Link[]> {
  return database.query<Link>(sql`
    select ${columns}
    from staff_links where company_id = ${companyId} and used_at is null and expires_at > now()
    order by link_id limit ${limit}`);
}

export async function deleteInvitation(
  tx: Tx,
  companyId: string,
  linkId: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ email: string }>(sql`
    delete from staff_links where company_id = ${companyId} and link_id = ${linkId} and used_at is null
    returning email`);
  return row?.email;
}

/** Of somebody for the same place: the newest invitation is the one that counts. */
export async function deleteLinksTo(
  tx: Tx,
  email: string,
  companyId: string | null,
): Promise<Link[]> {
  return tx.query<Link>(sql`
    delete from staff_links
    where email = ${email} and company_id is not distinct from ${companyId}::uuid and used_at is null
    returning ${columns}`);
}

/** Wherever they lead. */
export async function deleteAllLinksTo(tx: Tx, email: string): Promise<Link[]> {
  return tx.query<Link>(sql`
    delete from staff_links where email = ${email} and used_at is null returning ${columns}`);
}

/** What somebody invited others with: to one company, or to all. */
export async function deleteLinksBy(
  tx: Tx,
  personId: string,
  companyId: string | undefined,
): Promise<Link[]> {
  return tx.query<Link>(sql`
    delete from staff_links
    where invited_by = ${personId} and (${companyId ?? null}::uuid is null or company_id = ${companyId ?? null}::uuid)
      and used_at is null
    returning ${columns}`);
}
