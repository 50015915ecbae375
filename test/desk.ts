import { randomUUID } from "node:crypto";
import type { Desk } from "../src/approvals/desk.ts";
import type { Asked } from "../src/approvals/propose.ts";
import { readConfig } from "../src/config.ts";
import type { Database } from "../src/database/database.ts";
import { Metrics } from "../src/kernel/metrics.ts";
import type { ConsolePerson } from "../src/trail/actor.ts";

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

/** Somebody at the console, whom only the trail knows. */
export function somebody(personId: string = randomUUID()): ConsolePerson {
  return { personId, address: "192.0.2.7", via: "POST /console" };
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
