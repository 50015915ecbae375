import { createHash } from "node:crypto";
import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { parsePublicId, toPublicId } from "../../src/kernel/ids.ts";
import type { Place } from "../ground.ts";
import type { Client } from "../traffic/client.ts";
import { readExpected } from "../traffic/verify-events.ts";
import type { CompanyState, FinalState } from "./final-state.ts";
import { readExport, readPages } from "./read-statement.ts";

/** A company, and how it is asked at each node. */
export interface Subject {
  readonly company: string;
  readonly token: string;
  readonly nodes: ReadonlyMap<
    string,
    { readonly client: Client; readonly node: { readonly url: string } }
  >;
  readonly webhookIds: ReadonlyMap<string, string>;
}

export async function readFinalState(
  place: Place,
  subjects: readonly Subject[],
  /** Whether this release knows the bytes that the program sends. */
  areBytesKnown: boolean,
): Promise<FinalState> {
  const { database } = place;
  const [sums] = await database.query<{ wallets: number; entries: number }>(sql`
    select (select coalesce(sum(balance), 0)::bigint from wallets) as wallets,
      (select coalesce(sum(amount), 0)::bigint from wallet_entries) as entries`);
  const { code, stdout, stderr } = await place.command(["audit", "--full", "--json"]);
  const companies: CompanyState[] = [];
  for (const subject of subjects)
    companies.push(await readCompany(database, subject, areBytesKnown));
  return {
    companies,
    wallets: sums?.wallets ?? 0,
    walletEntries: sums?.entries ?? 0,
    auditFindings: code === 0 ? [] : [`the audit says: ${stdout} ${stderr}`],
  };
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64").slice(0, 16);
}

async function readCompany(
  database: Database,
  subject: Subject,
  areBytesKnown: boolean,
): Promise<CompanyState> {
  const companyId = parsePublicId("com", subject.company) ?? "";
  const [books] = await database.query<CompanyState["books"]>(sql`
    select available, in_flight, fees, external, paid_out from books where company_id = ${companyId}`);
  if (books === undefined) throw new Error(`${subject.company} has no books`);
  const clients = [...subject.nodes];
  const events = await readExpected({ ...subject, database, companyId });
  return {
    company: subject.company,
    books: { ...books },
    ...(await readMoney(database, companyId)),
    charges: await readCharges(database, companyId),
    events: events.map(({ subjectId, raw, ...event }) => ({
      ...event,
      subject: subjectId,
      digest: areBytesKnown && raw !== undefined ? digestOf(raw) : null,
    })),
    balances: await Promise.all(
      clients.map(async ([, { client }]) => (await client.get("/v1/balance")).balance),
    ),
    statements: await Promise.all(
      clients.flatMap(([name, { client, node }]) => [
        readPages(client, `pages of ${name}`),
        readExport(node.url, subject.token, `CSV of ${name}`),
      ]),
    ),
  };
}

async function readMoney(
  database: Database,
  companyId: string,
): Promise<Pick<CompanyState, "postings" | "transfers" | "movements">> {
  const postings = await database.query<CompanyState["postings"][number]>(sql`
    select number, event::text, subject_id as subject, credit_account::text as credit, amount,
      available_after as "availableAfter"
    from postings where company_id = ${companyId} order by number`);
  const transfers = await database.query<
    Omit<CompanyState["transfers"][number], "id" | "batchId"> & { batch: string | null }
  >(sql`
    select t.id as uuid, t.reference, t.amount, t.fee, t.msisdn, t.batch_id as batch,
      coalesce(o.status::text, 'pending') as status
    from transfers t left join outcomes o on o.company_id = ${companyId} and o.id = t.id
    where t.company_id = ${companyId}`);
  // What a company begins with has no reference.
  const movements = await database.query<CompanyState["movements"][number]>(sql`
    select 'fund' as kind, id as uuid, reference, amount from fundings
      where company_id = ${companyId} and reference is not null
    union all
    select 'withdraw', id, reference, amount from withdrawals where company_id = ${companyId}`);
  return {
    postings,
    transfers: transfers.map(({ batch, ...transfer }) => ({
      ...transfer,
      id: toPublicId("txn", transfer.uuid),
      batchId: batch === null ? null : toPublicId("bat", batch),
    })),
    movements,
  };
}

async function readCharges(
  database: Database,
  companyId: string,
): Promise<CompanyState["charges"]> {
  const charges = await database.query<Omit<CompanyState["charges"][number], "transactions">>(sql`
    select id, external_id as "externalId", amount, status::text, paid, refunded, attempts
    from charges where company_id = ${companyId}`);
  const rows = await database.query<
    CompanyState["charges"][number]["transactions"][number] & { charge: string }
  >(sql`
    select charge_id as charge, id, type::text, status::text, amount
    from charge_transactions where company_id = ${companyId} order by created_at, id`);
  const byCharge = new Map<string, (typeof rows)[number][]>();
  for (const row of rows) byCharge.set(row.charge, [...(byCharge.get(row.charge) ?? []), row]);
  return charges.map((charge) => ({
    ...charge,
    transactions: (byCharge.get(charge.id) ?? []).map(({ charge: _charge, ...one }) => one),
  }));
}
