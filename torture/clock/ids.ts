import type { PartReport } from "../part.ts";
import type { Client } from "../traffic/client.ts";
import type { Disagreement } from "./clock.ts";

const hourMs = 3_600_000;
const transfersPerTurn = 5;
const pageSize = 3;
const pagesMax = 10_000;

interface Listed {
  readonly id: string;
  readonly createdAt: string;
}

/** While a clock steps back, ids stay unique and ordered, and whoever pages through sees everything once. */
export async function attackIds(scene: Disagreement): Promise<PartReport> {
  const { ahead, behind, clientOf, round, campaign } = scene;
  const findings: string[] = [];
  const made: Listed[] = [];
  const send = async (client: Client, turn: string) => {
    for (let count = 0; count < transfersPerTurn; count += 1) {
      const body = {
        type: "transfer",
        amount: 5_000,
        msisdn: "2250700000000",
        reference: `${turn} ${round} ${count}`,
      };
      const answer = await client.send({ method: "POST", path: "/v1/transactions", body });
      if (answer.kind === "ok") made.push(answer.body);
      else findings.push(`a transfer was not accepted: ${JSON.stringify(answer)}`);
    }
  };
  await send(clientOf(ahead), "before");
  await send(clientOf(behind), "beside");
  await ahead.jumpTo(-campaign.random.integer(1, 100) * hourMs);
  await send(clientOf(ahead), "after");

  for (const { id, createdAt } of made)
    if (Math.abs(Date.parse(createdAt) - Date.now()) > hourMs)
      findings.push(`transfer ${id} says that it was created at ${createdAt}`);
  const meanwhile = () => send(clientOf(behind), `meanwhile ${made.length}`);
  const present = made.map(({ id }) => id);
  for (const client of [clientOf(ahead), clientOf(behind)]) {
    const { forward, backward } = await pageThrough(client, meanwhile);
    findings.push(...judge("forward", forward, present));
    findings.push(...judge("backward", backward.toReversed(), present));
  }
  return { counts: { "transfers paged through": made.length }, findings };
}

/** To the last page and back again, while others go on. */
async function pageThrough(client: Client, meanwhile: () => Promise<void>) {
  const forward: string[] = [];
  const backward: string[] = [];
  let cursor: string | null = null;
  let page = await readPage(client, cursor);
  for (let pages = 0; pages < pagesMax; pages += 1) {
    forward.push(...page.ids);
    if (pages === 1) await meanwhile();
    cursor = page.next;
    if (cursor === null) break;
    page = await readPage(client, cursor);
  }
  for (let pages = 0; pages < pagesMax; pages += 1) {
    backward.push(...page.ids.toReversed());
    cursor = page.prev;
    if (cursor === null) break;
    page = await readPage(client, cursor);
  }
  return { forward, backward };
}

async function readPage(client: Client, cursor: string | null) {
  const query = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
  const body = await client.get(`/v1/transactions?limit=${pageSize}${query}`);
  const ids = (body.data as Listed[]).map(({ id }) => id);
  return { ids, next: body.cursor.next as string | null, prev: body.cursor.prev as string | null };
}

function judge(way: string, seen: readonly string[], present: readonly string[]): string[] {
  const findings: string[] = [];
  const once = new Set(seen);
  if (once.size !== seen.length) findings.push(`paging ${way} shows something twice`);
  const missing = present.filter((id) => !once.has(id));
  if (missing.length > 0) findings.push(`paging ${way} never shows ${missing.join(", ")}`);
  if (seen.some((id, index) => index > 0 && id >= (seen[index - 1] ?? "")))
    findings.push(`paging ${way} is out of order`);
  return findings;
}
