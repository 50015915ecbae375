import type { Queryable, Tx, Writable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Language } from "../kernel/language.ts";
import { type Membership, membershipsPerPersonMax, type Person } from "./person.ts";
import type { CompanyRole } from "./roles.ts";

export interface PersonRow {
  readonly person_id: string;
  readonly email: string;
  readonly has_password: boolean;
  readonly has_second_factor: boolean;
  readonly is_operator: boolean;
  readonly language: Language | null;
  readonly created_at: Date;
}

export function toPerson(row: PersonRow): Person {
  return {
    id: row.person_id,
    email: row.email,
    hasPassword: row.has_password,
    hasSecondFactor: row.has_second_factor,
    isOperator: row.is_operator,
    language: row.language ?? undefined,
    createdAt: row.created_at,
  };
}

export async function selectPersonByEmail(
  database: Queryable,
  email: string,
): Promise<(Person & { readonly password: string | null }) | undefined> {
  const [row] = await database.query<PersonRow & { password: string | null }>(sql`
    select person_id, email, password is not null as has_password, totp_sealed is not null as has_second_factor,
      is_operator, language, created_at, password
    from people where email = ${email}`);
  return row && { ...toPerson(row), password: row.password };
}

export async function selectPerson(
  database: Queryable,
  personId: string,
): Promise<(Person & { readonly password: string | null }) | undefined> {
  const [row] = await database.query<PersonRow & { password: string | null }>(sql`
    select person_id, email, password is not null as has_password, totp_sealed is not null as has_second_factor,
      is_operator, language, created_at, password
    from people where person_id = ${personId}`);
  return row && { ...toPerson(row), password: row.password };
}

/** The person with this address, who is made if need be; nobody else changes it until the commit. */
export async function upsertPerson(
  tx: Tx,
  personId: string,
  email: string,
): Promise<Person & { readonly isNew: boolean }> {
  const made = await tx.query(sql`
    insert into people (person_id, email) values (${personId}, ${email}) on conflict (email) do nothing returning 1`);
  const [row] = await tx.query<PersonRow>(sql`
    select person_id, email, password is not null as has_password, totp_sealed is not null as has_second_factor,
      is_operator, language, created_at
    from people where email = ${email} for update`);
  if (row === undefined) throw new Error("a person that was made is there");
  return { ...toPerson(row), isNew: made.length === 1 };
}

/** Until the commit nobody else changes how this person signs in, or for whom it works. */
export async function lockPerson(tx: Tx, personId: string): Promise<Person | undefined> {
  const [row] = await tx.query<PersonRow>(sql`
    select person_id, email, password is not null as has_password, totp_sealed is not null as has_second_factor,
      is_operator, language, created_at
    from people where person_id = ${personId} for update`);
  return row && toPerson(row);
}

export async function updatePassword(
  tx: Tx,
  personId: string,
  password: string | null,
): Promise<void> {
  await tx.query(sql`update people set password = ${password} where person_id = ${personId}`);
}

/** False when the password is another one by now. */
export async function replacePassword(
  tx: Tx,
  personId: string,
  before: string,
  after: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update people set password = ${after} where person_id = ${personId} and password = ${before} returning 1`);
  return rows.length === 1;
}

export async function updateOperator(tx: Tx, personId: string, isOperator: boolean): Promise<void> {
  await tx.query(sql`update people set is_operator = ${isOperator} where person_id = ${personId}`);
}

export async function updateLanguage(
  database: Writable,
  personId: string,
  language: Language,
): Promise<void> {
  await database.execute(sql`
    update people set language = ${language} where person_id = ${personId} returning 1`);
}

export async function selectMemberships(
  database: Queryable,
  personId: string,
): Promise<Membership[]> {
  return database.query<Membership>(sql`
    select company_id as "companyId", role from memberships where person_id = ${personId}
    order by company_id limit ${membershipsPerPersonMax}`);
}

/** How many people a company has, and how many companies a person; read under the person's lock. */
export async function countMemberships(
  tx: Tx,
  companyId: string,
  personId: string,
): Promise<{ readonly members: number; readonly companies: number }> {
  const [row] = await tx.query<{ members: number; companies: number }>(sql`
    select (select count(*) from memberships where company_id = ${companyId}) as members,
      (select count(*) from memberships where person_id = ${personId}) as companies`);
  return row ?? { members: 0, companies: 0 };
}

/** Makes somebody a member, or gives a member another role; answers the role it had. */
export async function putMembership(
  tx: Tx,
  companyId: string,
  personId: string,
  role: CompanyRole,
  introducedBy: readonly string[],
): Promise<CompanyRole | undefined> {
  const [before] = await tx.query<{ role: CompanyRole }>(sql`
    select role from memberships where company_id = ${companyId} and person_id = ${personId} for update`);
  await tx.query(sql`
    insert into memberships (company_id, person_id, role, introduced_by)
    values (${companyId}, ${personId}, ${role}, ${introducedBy}::uuid[])
    on conflict (company_id, person_id) do update set role = excluded.role`);
  return before?.role;
}

/** The role of a member; nobody else changes it until the commit. Undefined: it is no member. */
export async function lockRole(
  tx: Tx,
  companyId: string,
  personId: string,
): Promise<CompanyRole | undefined> {
  const [row] = await tx.query<{ role: CompanyRole }>(sql`
    select role from memberships where company_id = ${companyId} and person_id = ${personId} for update`);
  return row?.role;
}

/** Who let in whom, of everybody who works for a company. */
export async function selectIntroductions(
  database: Queryable,
  companyId: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await database.query<{ person_id: string; introduced_by: string[] }>(sql`
    select person_id, introduced_by from memberships where company_id = ${companyId}`);
  return new Map(rows.map(({ person_id, introduced_by }) => [person_id, introduced_by]));
}

export interface Member extends Person {
  readonly role: CompanyRole;
  readonly memberSince: Date;
}

export async function selectMembers(
  database: Queryable,
  companyId: string,
  limit: number,
): Promise<Member[]> {
  const rows = await database.query<PersonRow & { role: CompanyRole; member_since: Date }>(sql`
    select p.person_id, p.email, p.password is not null as has_password,
      p.totp_sealed is not null as has_second_factor, p.is_operator, p.language, p.created_at,
      m.role, m.created_at as member_since
    from memberships m join people p on p.person_id = m.person_id
    where m.company_id = ${companyId} order by m.person_id limit ${limit}`);
  return rows.map((row) => ({ ...toPerson(row), role: row.role, memberSince: row.member_since }));
}

/** Everybody, oldest first, a page at a time, for the operator. */
export async function selectPeople(
  database: Queryable,
  after: string | undefined,
  limit: number,
): Promise<Person[]> {
  const rows = await database.query<PersonRow>(sql`
    select person_id, email, password is not null as has_password, totp_sealed is not null as has_second_factor,
      is_operator, language, created_at
    from people where person_id > ${after ?? "00000000-0000-0000-0000-000000000000"}
    order by person_id limit ${limit}`);
  return rows.map(toPerson);
}

export async function selectEmails(
  database: Queryable,
  personIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.query<{ person_id: string; email: string }>(sql`
    select person_id, email from people where person_id = any(${personIds}::uuid[])`);
  return new Map(rows.map(({ person_id, email }) => [person_id, email]));
}
