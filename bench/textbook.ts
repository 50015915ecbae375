import type { Tx } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { toDigits } from "../src/kernel/msisdn.ts";
import { toTransferPayload } from "../src/transfers/transaction.ts";
import type { Transfer } from "../src/transfers/transfer.ts";

/**
 * Writes what `submit_transfers` writes for one transfer, statement by statement. It is the textbook done
 * well: every statement is prepared, and the company's row is locked as late as possible.
 */
export async function insertTransferTheTextbookWay(
  tx: Tx,
  companyId: string,
  transfer: Transfer,
): Promise<void> {
  const total = transfer.amount + transfer.fee;
  await tx.query(sql`
    insert into transfers (
      company_id, id, reference, msisdn, msisdn_given, amount, fee, description, metadata,
      sub_company_id, created_at, updated_at)
    values (
      ${companyId}, ${transfer.id}, ${transfer.reference}, ${toDigits(transfer.msisdn)},
      ${transfer.msisdn}, ${transfer.amount}, ${transfer.fee}, ${transfer.description},
      ${transfer.metadata}, ${transfer.subCompanyId}, ${transfer.createdAt}, ${transfer.updatedAt})`);

  const [available] = await tx.query<{ balance: number }>(sql`
    update accounts set balance = balance - ${total}
    where company_id = ${companyId} and kind = 'available' and balance >= ${total}
    returning balance`);
  if (available === undefined) throw new Error("the company of the bench has run out of money");

  const [last] = await tx.query<{ last_posting: number; last_event: number }>(sql`
    update company_counters set last_posting = last_posting + 1, last_event = last_event + 1
    where company_id = ${companyId}
    returning last_posting, last_event`);
  await tx.query(sql`
    insert into postings (
      company_id, number, event, subject_id, debit_account, credit_account, amount, available_after)
    values (
      ${companyId}, ${last?.last_posting}, 'transfer.reserved', ${transfer.id}, 'available',
      'in_flight', ${total}, ${available.balance})`);
  await tx.query(sql`
    update accounts set balance = balance + ${total}
    where company_id = ${companyId} and kind = 'in_flight'`);
  await tx.query(sql`
    insert into events (company_id, number, topic, subject_id, payload)
    values (
      ${companyId}, ${last?.last_event}, 'transactions/started', ${transfer.id},
      ${toTransferPayload(transfer)})`);
  await tx.query(sql`
    insert into work as w (company_id, queue, ready_at) values (${companyId}, 'transfers', now())
    on conflict (company_id, queue) do update set ready_at = least(w.ready_at, excluded.ready_at)`);
}
