import type { PartReport } from "../part.ts";
import { verifyBooks } from "../traffic/verify-books.ts";
import { untilReady } from "../until-ready.ts";
import type { Town } from "./town.ts";
import { expectBalances, findWrongWallet } from "./verify-wallets.ts";

const recoveryLimitMs = 60_000;
/** Leases that were lost have to run out, and a notification that failed meanwhile is sent again later. */
const quietLimitMs = 240_000;

/** After everything goes on again: what callers were told, what wallets can pay and what the audit says agree. */
export async function verifyTown(town: Town): Promise<PartReport> {
  const { programs, campaign } = town.scene;
  const deaths = programs
    .filter(({ isRunning }) => !isRunning)
    .map(({ output }) => `a service ended by itself: ${output}`);
  const recovery = await Promise.all(programs.map(({ url }) => untilReady(url, recoveryLimitMs)));
  const shops: PartReport[] = [];
  for (const shop of town.shops) shops.push(await shop.verify(quietLimitMs, campaign.scale));
  const [client] = town.stage.party.clients;
  const books = await verifyBooks(client, town.stage.journal);
  const balances = await expectBalances(town.clients);
  const staged = await findWrongWallets(town, balances, town.stage.people);
  const others = await findWrongWallets(town, balances, town.people);
  const sumOf = (what: string) => shops.reduce((sum, { counts }) => sum + (counts[what] ?? 0), 0);
  return {
    counts: {
      "staged wallets": town.stage.people.length,
      "of them wrong": staged.length,
      "other wallets": town.people.length,
      "of those wrong": others.length,
      requests: sumOf("requests"),
      notifications: sumOf("notifications"),
    },
    findings: [
      ...deaths,
      ...recovery.flat(),
      ...shops.flatMap(({ findings }) => findings),
      ...books,
      ...staged,
      ...others,
      ...(await findAudited(town)),
    ],
  };
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

/** As an operator hears it. */
async function findAudited({ scene }: Town): Promise<string[]> {
  const { code, stdout, stderr } = await scene.place.command(["audit", "--full"]);
  return code === 0 ? [] : [`cauri audit --full ended with ${code}: ${stdout} ${stderr}`];
}
