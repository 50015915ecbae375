import { randomBytes } from "node:crypto";
import type { Desk } from "../../src/approvals/desk.ts";
import { readConfig } from "../../src/config.ts";
import { Database } from "../../src/database/database.ts";
import { Signals } from "../../src/database/signals.ts";
import { sql } from "../../src/database/sql.ts";
import { Metrics } from "../../src/kernel/metrics.ts";
import { secretBox } from "../../src/kernel/secret-box.ts";
import { onPlace, type Place } from "../ground.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import { domainAdapter } from "./domain-adapter.ts";
import type { Node } from "./door.ts";
import { runSequences } from "./run-sequences.ts";
import type { Rule } from "./state.ts";
import { World } from "./world.ts";

const targets = { short: 60, full: 10_000 } as const;
const atOnce = 6;
const poolSize = 6;
const everyRule: readonly Rule[] = [
  "membership",
  "four eyes",
  "two powers",
  "second self",
  "password",
  "purpose",
  "identity",
  "ended session",
  "ended link",
  "ended payment",
  "ended request",
  "state",
];

export const accounts: Part = {
  name: "accounts",
  promises:
    "Whatever people of two companies do with invitations, resets, roles and links, nobody becomes somebody else, and no payment is one human's alone.",
  run: (campaign) => onPlace({}, (place) => runOnTwoNodes(campaign, place, rulesAskedFor())),
};

/** ACCOUNTS_RULES names some of them, so that a release that breaks several shows the shortest way to each. */
function rulesAskedFor(): ReadonlySet<Rule> {
  const named = process.env["ACCOUNTS_RULES"]?.split(",");
  return new Set(everyRule.filter((rule) => named?.includes(rule) ?? true));
}

async function runOnTwoNodes(
  campaign: Campaign,
  place: Place,
  rules: ReadonlySet<Rule>,
): Promise<PartReport> {
  // Nothing crashes here: nobody waits for the disk.
  await place.database.query(sql`alter system set fsync = off`);
  await place.database.query(sql`select pg_reload_conf()`);
  const box = secretBox(randomBytes(32));
  const databases = [0, 1].map(() => new Database({ url: place.databaseUrl, poolSize }));
  try {
    const nodes = databases.map((database) => nodeOf(database, place.databaseUrl));
    const adapter = domainAdapter(nodes, box);
    let worlds = 0;
    const { random, deadline, progress, scale } = campaign;
    const open = () => World.open(adapter, place.database, box, (worlds += 1));
    const target = targets[scale];
    return await runSequences({ open, random, deadline, progress, target, atOnce, rules });
  } finally {
    for (const database of databases) await database.close();
  }
}

/** Nobody is told of what is to be done: payments are carried out by whoever approves them. */
function nodeOf(database: Database, url: string): Node {
  const config = readConfig({ LOG_LEVEL: "silent" });
  const desk: Desk = {
    database,
    payments: {
      database,
      policy: config,
      refundPartsMax: config.quotas.refundsPerChargeMax,
      outcomes: new Metrics().counter("charges", "Charges."),
      onEvent: () => {},
    },
    limit: { unknownPerDay: 1_000_000, known: [] },
    onApproved: () => {},
    onAccepted: () => {},
  };
  return { database, desk, signals: new Signals(url, database) };
}
