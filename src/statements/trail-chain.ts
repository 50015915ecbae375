import { hash } from "node:crypto";
import { toPublicId } from "../kernel/ids.ts";

/**
 * How the entries of a trail are chained. The hash of an entry stands for it and for all before it, so that none can be
 * changed, taken away or put in between without all later ones being made again.
 */

/** What is no company's: the people of the console, the customer book, and the installation as a whole. */
export const sharedTrails = ["staff", "customers", "installation"] as const;

/** Whose trail it is. */
export type TrailName = { readonly companyId: string } | (typeof sharedTrails)[number];

/** The last entry that is chained. */
export interface TrailHead {
  readonly number: number;
  readonly hash: Buffer;
}

/** An entry as it is chained: its fields in one order, each as text. */
export type ChainedFields = readonly (string | null)[];

export function nameOfTrail(trail: TrailName): string {
  return typeof trail === "string" ? trail : toPublicId("com", trail.companyId);
}

/** Where a chain begins. */
export function firstHead(trail: TrailName): TrailHead {
  return { number: 0, hash: sha256(`cauri trail of ${nameOfTrail(trail)}`) };
}

export function nextHead(before: TrailHead, fields: ChainedFields): TrailHead {
  const number = before.number + 1;
  const digest = sha256(JSON.stringify([number, ...fields]));
  return { number, hash: sha256(Buffer.concat([before.hash, digest])) };
}

/** What the operator signs of the last entry. */
export function headText(trail: TrailName, { number, hash: at }: TrailHead): string {
  return [
    "cauri trail 1",
    `of ${nameOfTrail(trail)}`,
    `entry ${number}`,
    `hash ${at.toString("hex")}`,
    "",
  ].join("\n");
}

function sha256(data: string | Buffer): Buffer {
  return hash("sha256", data, "buffer");
}
