import type { Tx } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { toDigits } from "../src/kernel/msisdn.ts";
import type { TransferFacts } from "../src/transfers/transfer.ts";

/**
 * Writes what `submit_transfers` writes for one transfer, statement by statement. It is the textbook done
 * well: every statement is prepared, and the company's row is locked as late as possible.
 */
export async function insertTransferTheTextbookWay(
  tx: Tx,
  companyId: string,
  transfer: TransferFacts,
): Promise<void> {
  const total = transfer.amount + transfer.fee;
  await tx.query(sql`
    insert into transfers (
      company_id, id, sub_company_id, amount, fee, msisdn, msisdn_has_plus, reference, description, metadata)
    values (
      ${companyId}, ${transfer.id}, ${transfer.subCompanyId}, ${transfer.amount}, ${transfer.fee},
      ${toDigits(transfer.msisdn)}, ${transfer.msisdn.startsWith("+")}, ${transfer.reference},
      ${transfer.description}, ${transfer.metadata})`);
  await tx.query(sql`
    insert into pending_transfers (company_id, id) values (${companyId}, ${transfer.id})`);
  const [books] = await tx.query<{
    available: number;
    last_posting: number;
    last_event: number;
  }>(sql`
    update books set available = available - ${total}, in_flight = in_flight + ${total},
      last_posting = last_posting + 1, last_event = last_event + 1
    where company_id = ${companyId} and available >= ${total}
    returning available, last_posting, last_event`);
  if (books === undefined) throw new Error("the company of the bench has run out of money");
  await tx.query(sql`
    insert into postings (
      company_id, number, event, subject_id, debit_account, credit_account, amount, available_after)
    values (
      ${companyId}, ${books.last_posting}, 'transfer.reserved', ${transfer.id}, 'available',
      'in_flight', ${total}, ${books.available})`);
  await tx.query(sql`
    insert into event_runs (company_id, last_number, topic, subject_ids)
    values (${companyId}, ${books.last_event}, 'transactions/started', array[${transfer.id}::uuid])`);
}
