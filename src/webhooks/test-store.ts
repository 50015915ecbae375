import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { triesPerMinute, tryPauseMs } from "./delivery-policy.ts";

/** Whether an address may be sent something now that nobody waits for: see may_try. One that has answered 2xx always may. */
export async function mayTryAddress(
  database: Database,
  companyId: string,
  endpointId: string,
): Promise<boolean> {
  const [endpoint] = await database.query<{ is_proved: boolean }>(sql`
    select proved_at is not null as is_proved from endpoints where company_id = ${companyId} and id = ${endpointId}`);
  if (endpoint?.is_proved === true) return true;
  const [row] = await database.execute<{ may: boolean }>(sql`
    select may_try(${companyId}, ${endpointId}, ${tryPauseMs}, ${triesPerMinute}) as may`);
  return row?.may === true;
}
