import { setTimeout as sleep } from "node:timers/promises";
import type { PartReport } from "../part.ts";
import { readList } from "../traffic/read-list.ts";
import type { Shop } from "../traffic/shop.ts";
import { verifyBooks } from "../traffic/verify-books.ts";
import { untilReady } from "../until-ready.ts";
import { until } from "./scene.ts";
import type { Town } from "./town.ts";
import { countUntold, verifyTold } from "./verify-told.ts";
import { expectBalances, findWrongWallet } from "./verify-wallets.ts";

const recoveryLimitMs = 60_000;
/** Leases that were lost have to run out, and a notification that failed meanwhile is sent again later. */
const quietLimitMs = 240_000;
const tellPollMs = 200;

/** After everything goes on again: what callers were told, what wallets can pay and what the audit says agree. */
export async function verifyTown(town: Town): Promise<PartReport> {
  const { programs } = town.scene;
  const deaths = programs
    .filter(({ isRunning }) => !isRunning)
    .map(({ output }) => `a service ended by itself: ${output}`);
  const recovery = await Promise.all(programs.map(({ url }) => untilReady(url, recoveryLimitMs)));
  const unfinished = await findUnfinished(town);
  const told = await Promise.all(town.shops.map(verifyNotifications));
  const [client] = town.stage.party.clients;
  const books = await verifyBooks(client, town.stage.journal);
  for (const shop of town.shops) books.push(...(await verifyBooks(shop.client, shop.journal)));
  const balances = await expectBalances(town.clients);
  const staged = await findWrongWallets(town, balances, town.stage.people);
  const others = await findWrongWallets(town, balances, town.people);
  return {
    counts: {
      "staged wallets": town.stage.people.length,
      "of them wrong": staged.length,
      "other wallets": town.people.length,
      "of those wrong": others.length,
      notifications: town.shops.reduce((sum, { receiver }) => sum + receiver.received.length, 0),
    },
    findings: [
      ...deaths,
      ...recovery.flat(),
      ...unfinished,
      ...told.flat(),
      ...books,
      ...town.shops.flatMap((shop) => shop.client.oddities),
      ...staged,
      ...others,
      ...(await findAudited(town)),
    ],
  };
}

async function findUnfinished({ clients }: Town): Promise<string[]> {
  const isQuiet = async () => {
    for (const client of clients)
      if ((await client.get("/v1/transactions?status=pending&limit=1")).count > 0) return false;
    return true;
  };
  return (await until(isQuiet, quietLimitMs))
    ? []
    : [`transfers were still pending after ${quietLimitMs} ms`];
}

async function verifyNotifications({ client, receiver }: Shop): Promise<string[]> {
  const ended = new Map<string, string>();
  for await (const { id, status } of readList<{ id: string; status: string }>(
    client,
    "/v1/transactions",
  ))
    ended.set(id, status);
  const isTold = async () => {
    await sleep(tellPollMs);
    return countUntold(receiver.received, ended) === 0;
  };
  await until(isTold, quietLimitMs);
  const untold = countUntold(receiver.received, ended);
  return [
    ...(untold === 0 ? [] : [`nobody was told of the end of ${untold} transfers`]),
    ...verifyTold(receiver.received, ended),
  ];
}

async function findWrongWallets(
  { bank }: Town,
  balances: ReadonlyMap<string, number>,
  people: readonly string[],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const msisdn of people) {
    const finding = await findWrongWallet(bank.clients[0], msisdn, balances.get(msisdn) ?? 0);
    if (finding !== undefined) wrong.push(finding);
  }
  return wrong;
}

interface Audit {
  readonly checks: readonly {
    readonly check: string;
    readonly differences: readonly {
      readonly where: string;
      readonly expected: string;
      readonly found: string;
    }[];
  }[];
}

/** As an operator hears it. */
async function findAudited({ scene }: Town): Promise<string[]> {
  const { code, stdout, stderr } = await scene.place.command(["audit", "--json"]);
  if (code === 0) return [];
  if (code !== 1) return [`the audit failed: ${stdout} ${stderr}`];
  const { checks } = JSON.parse(stdout) as Audit;
  return checks.flatMap(({ check, differences }) =>
    differences.map(
      ({ where, expected, found }) =>
        `the audit (${check}) expects ${expected} and finds ${found}: ${where}`,
    ),
  );
}
