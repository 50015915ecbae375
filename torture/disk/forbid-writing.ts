import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../src/database/sql.ts";
import { type Ground, onGround } from "../ground.ts";
import type { Campaign, PartReport } from "../part.ts";
import type { Call, Outcome } from "../traffic/client.ts";
import { Shop } from "../traffic/shop.ts";

const rounds = { short: 1, full: 5 } as const;
const answerLimitMs = 60_000;
const recoveryLimitMs = 30_000;
const quietLimitMs = 60_000;
const pollMs = 100;

/** As after a failover to a standby, or by an operator's order: reading works and writing does not. */
export function forbidWriting(campaign: Campaign): Promise<PartReport> {
  return onGround({}, async (ground) => {
    const { random, scale, deadline, progress } = campaign;
    const shop = await Shop.open(ground, {
      url: () => ground.url,
      random,
      shoppers: 4,
      pauseMs: 10,
      answerLimitMs,
    });
    const findings: string[] = [];
    try {
      for (let round = 0; round < rounds[scale] && !deadline.aborted; round += 1) {
        progress(`read-only, round ${round + 1} of ${rounds[scale]}`);
        shop.start(`round-${round}`);
        await sleep(500);
        await setReadOnly(ground, true);
        await sleep(random.integer(300, 1_000));
        findings.push(...(await tryEverything(shop, `read-only ${round}`)));
        await setReadOnly(ground, false);
        findings.push(...(await untilWritable(shop, `writable ${round}`)));
        await shop.stop();
      }
      progress("comparing every answer with the books");
      const { counts, findings: found } = await shop.verify(quietLimitMs, scale);
      const audit = await ground.auditFindings();
      return {
        counts: { "times read-only": rounds[scale], "requests meanwhile": counts["requests"] ?? 0 },
        findings: [...findings, ...found, ...audit],
      };
    } finally {
      await shop.close();
    }
  });
}

/** Existing sessions end too: theirs would go on writing. */
async function setReadOnly({ database, databaseUrl }: Ground, isReadOnly: boolean): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const value = isReadOnly ? "on" : "off";
  await database.transaction(async (tx) => {
    // Our own session may be one of those that may only read.
    await tx.query({ text: "set transaction read write", values: [] });
    const text = `alter database ${name} set default_transaction_read_only = ${value}`;
    await tx.query({ text, values: [] });
  });
  // Only in one direction: going on by itself means to notice without being thrown out.
  if (isReadOnly)
    await database.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
}

async function tryEverything({ client }: Shop, name: string): Promise<string[]> {
  const findings: string[] = [];
  const transfer = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: name };
  const writes: Call[] = [
    { method: "POST", path: "/v1/transactions", body: transfer },
    { method: "POST", path: "/v1/transactions/batch", body: { transactions: [transfer] } },
    {
      method: "POST",
      path: "/v1/sub-companies",
      body: { name, logoUrl: "https://shop.example/logo.png" },
    },
    {
      method: "POST",
      path: "/v1/webhooks",
      body: { topic: "charge/events", url: "http://127.0.0.1:9/never" },
      key: name,
    },
  ];
  for (const call of writes) {
    const outcome = await sendUntilDecided(client, call);
    const isClear = outcome.kind === "refused" && outcome.code === "database_unavailable";
    if (!isClear)
      findings.push(`${call.path} on a read-only database came to ${JSON.stringify(outcome)}`);
  }
  for (const path of ["/v1/balance", "/v1/transactions?limit=1", "/v1/charges?limit=1"]) {
    const outcome = await client.send({ method: "GET", path });
    if (outcome.kind !== "ok")
      findings.push(`${path} could not be read: ${JSON.stringify(outcome)}`);
  }
  return findings;
}

/**
 * All sessions were ended a moment ago. Whoever waited in vain for a new one is told to try again shortly, and that
 * nothing was done: so it is tried again, until the database itself has refused.
 */
async function sendUntilDecided(client: Shop["client"], call: Call): Promise<Outcome> {
  const deadline = performance.now() + recoveryLimitMs;
  for (;;) {
    const outcome = await client.send(call);
    const mayTryAgain = outcome.kind === "refused" && outcome.code === "database_waiting";
    if (!mayTryAgain || performance.now() > deadline) return outcome;
    await sleep(pollMs);
  }
}

async function untilWritable({ client }: Shop, reference: string): Promise<string[]> {
  const body = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference };
  const deadline = performance.now() + recoveryLimitMs;
  for (;;) {
    const outcome = await client.send({ method: "POST", path: "/v1/transactions", body });
    if (outcome.kind === "ok") return [];
    if (performance.now() > deadline)
      return [`it does not write again: ${JSON.stringify(outcome)}`];
    await sleep(pollMs);
  }
}
