import type { Database } from "../database/database.ts";
import { firstHead, headText, nextHead, type TrailHead, type TrailName } from "./trail-chain.ts";
import {
  type ChainRow,
  lockHead,
  selectHead,
  selectUnchained,
  updateChained,
  updateHead,
} from "./trail-chain-store.ts";

/** Signs with the operator's key. */
export interface TrailSigner {
  readonly id: string;
  sign(text: string): Buffer;
}

/** Entries that one transaction chains. */
const rowsMax = 500;

/**
 * Chains what was committed since the last time, and signs the last entry, which it answers. Entries get their places in the
 * order in which they are found and not in that of their times: one that took long to commit comes after those that overtook it.
 * Any number of nodes may do it at once.
 */
export async function chainEntries(
  database: Database,
  signer: TrailSigner,
  trail: TrailName,
  mayGoOn: () => boolean = () => true,
): Promise<TrailHead> {
  // Looked at first: nearly always there is nothing, and nothing is locked for it.
  while (mayGoOn() && (await selectUnchained(database, trail, 1)).length > 0) {
    await database.transaction(async (tx) => {
      const first = firstHead(trail);
      let head: TrailHead = (await lockHead(tx, trail, first)) ?? first;
      const places: (Pick<ChainRow, "id" | "owner"> & TrailHead)[] = [];
      for (const { id, owner, fields } of await selectUnchained(tx, trail, rowsMax)) {
        head = nextHead(head, fields);
        places.push({ id, owner, ...head });
      }
      if (places.length === 0) return;
      await updateChained(tx, trail, places);
      const signature = signer.sign(headText(trail, head));
      await updateHead(tx, trail, { ...head, keyId: signer.id, signature });
    });
  }
  return (await selectHead(database, trail)) ?? firstHead(trail);
}
