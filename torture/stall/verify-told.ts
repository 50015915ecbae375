import type { Received } from "../traffic/receiver.ts";

interface Told {
  readonly topic: string;
  readonly data: { readonly id: string; readonly status: string };
}

/** Ids of transfers, with how each ended. */
export type Endings = ReadonlyMap<string, string>;

const endings = new Set(["transactions/completed", "transactions/failed"]);

/** Transfers whose end nobody was told of yet. */
export function countUntold(received: readonly Received[], ended: Endings): number {
  const told = new Set(tellings(received).map(({ data }) => data.id));
  return [...ended.keys()].filter((id) => !told.has(id)).length;
}

/** Whoever was told how a transfer ended was told the truth, and nobody was told of two ends. */
export function verifyTold(received: readonly Received[], ended: Endings): string[] {
  return tellings(received)
    .filter(({ topic, data }) => topic !== `transactions/${ended.get(data.id)}`)
    .map(
      ({ topic, data }) =>
        `transfer ${data.id} is ${ended.get(data.id)}, and it was told: ${topic}`,
    );
}

function tellings(received: readonly Received[]): readonly Told[] {
  return received.map(({ body }) => body as Told).filter(({ topic }) => endings.has(topic));
}
