import { randomUUID } from "node:crypto";
import { approve } from "../src/approvals/decide.ts";
import type { Desk } from "../src/approvals/desk.ts";
import type { Proposal } from "../src/approvals/proposal.ts";
import { type Asked, propose } from "../src/approvals/propose.ts";
import { readConfig } from "../src/config.ts";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { Metrics } from "../src/kernel/metrics.ts";
import { joinCompany, lockRole } from "../src/staff/people.ts";
import type { CompanyRole } from "../src/staff/roles.ts";
import { type ConsolePerson, operator } from "../src/trail/actor.ts";

/** What people ask for, judged and carried out by this database; nobody else is told. */
export function deskOf(database: Database, settings: Record<string, string> = {}): Desk {
  const config = readConfig({ LOG_LEVEL: "silent", ...settings });
  return {
    database,
    payments: {
      database,
      policy: config,
      refundPartsMax: config.quotas.refundsPerChargeMax,
      outcomes: new Metrics().counter("charges", "Charges."),
      onEvent: () => {},
    },
    limit: { unknownPerDay: 10_000, known: [] },
    onApproved: () => {},
    onAccepted: () => {},
  };
}

/** Somebody at the console, whom only the trail knows: see `enrol`. */
export function somebody(personId: string = randomUUID()): ConsolePerson {
  return { personId, address: "192.0.2.7", via: "POST /console" };
}

/** Lets people into a company, by the operator and so in force at once. */
export async function enrol(
  database: Database,
  companyId: string,
  people: readonly ConsolePerson[],
  role: CompanyRole = "owner",
): Promise<void> {
  for (const { personId } of people) {
    await database.query(sql`
      insert into people (person_id, email) values (${personId}, ${`${personId}@shop.example`})
      on conflict (person_id) do nothing returning 1`);
    const person = { id: personId, email: `${personId}@shop.example` };
    await database.transaction(async (tx) => {
      if ((await lockRole(tx, companyId, personId)) !== undefined) return;
      await joinCompany(tx, person, { companyId, role }, operator("a test"));
    });
  }
}

/** A desk of these people, who are owners there. */
export async function deskWith(
  database: Database,
  companyId: string,
  ...people: readonly ConsolePerson[]
): Promise<Desk> {
  await enrol(database, companyId, people);
  return deskOf(database);
}

/** Somebody new who works for a company. */
export async function member(
  database: Database,
  companyId: string,
  role: CompanyRole = "owner",
): Promise<ConsolePerson> {
  const person = somebody();
  await enrol(database, companyId, [person], role);
  return person;
}

/** What one person asks for and another approves. */
export async function approvedPayment(
  desk: Desk,
  maker: ConsolePerson,
  companyId: string,
  asked: Asked,
): Promise<Proposal> {
  await enrol(desk.database, companyId, [maker]);
  const { id, hash } = await propose(desk, { companyId, by: maker, title: "Paie", asked });
  const decision = { companyId, proposalId: id, reviewedHash: hash, checkPerson: trusted };
  return approve(desk, { ...decision, by: await member(desk.database, companyId) });
}

/** That the person is who it says was seen to elsewhere. */
export const trusted = async () => {};

export function transferOf(reference: string, amount = 5_000): Asked {
  const to = { msisdn: "221771234567", reference, description: null, subCompanyId: null };
  return { kind: "transfer", amount, ...to };
}

export function payrollOf(name: string, rows: number, amount = 5_000): Asked {
  return {
    kind: "payroll",
    subCompanyId: null,
    fileHash: Buffer.alloc(32, name),
    rows: Array.from({ length: rows }, (_, index) => ({
      line: index + 2,
      msisdn: `22177${String(1_000_000 + index)}`,
      amount,
      reference: `${name}-${index}`,
      description: null,
    })),
  };
}
