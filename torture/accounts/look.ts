import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import type { Held } from "./adapter.ts";

/** What the database holds of these people and companies: whatever could still have an effect. */
export async function look(
  database: Database,
  emails: readonly string[],
  companyIds: readonly string[],
): Promise<Held> {
  const [row] = await database.query<{ held: Held }>(sql`
    select json_build_object(
      'people', (select coalesce(json_agg(json_build_object('email', email, 'password', password,
          'hasFactor', totp_sealed is not null, 'isOperator', is_operator)), '[]')
        from people where email = any(${emails})),
      'roles', (select coalesce(json_agg(json_build_object('companyId', m.company_id, 'email', p.email, 'role', m.role)), '[]')
        from memberships m join people p on p.person_id = m.person_id where m.company_id = any(${companyIds}::uuid[])),
      'links', (select coalesce(json_agg(encode(token_hash, 'hex')), '[]')
        from staff_links where email = any(${emails}) and used_at is null and expires_at > now()),
      'sessions', (select coalesce(json_agg(encode(s.token_hash, 'hex')), '[]')
        from staff_sessions s join people p on p.person_id = s.person_id where p.email = any(${emails})),
      'fresh', (select coalesce(json_agg(encode(s.token_hash, 'hex')), '[]')
        from staff_sessions s join people p on p.person_id = s.person_id
        where p.email = any(${emails}) and s.proved_at > now() - interval '5 minutes'),
      'waiting', (select coalesce(json_agg(proposal_id), '[]')
        from proposal_states where company_id = any(${companyIds}::uuid[]) and state = 'waiting'),
      'requests', (select coalesce(json_agg(id), '[]')
        from access_requests where company_id = any(${companyIds}::uuid[]) and state = 'open'),
      'aloneMax', (select coalesce(json_agg(json_build_object('companyId', company_id, 'amount', alone_max)), '[]')
        from approval_rules where company_id = any(${companyIds}::uuid[]))) as held`);
  if (row === undefined) throw new Error("a row of what there is");
  return row.held;
}
