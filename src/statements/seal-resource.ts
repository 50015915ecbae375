import { companyIdPrefix } from "../companies/company.ts";
import { parsePublicId, toPublicId } from "../kernel/ids.ts";
import { toPayload } from "../webhooks/event.ts";
import type { Seal } from "./seal.ts";
import type { TrailHead } from "./trail-chain.ts";

/** A seal as it is handed over: in answers, notifications and exports alike. */
export interface SealResource {
  readonly companyId: string;
  readonly day: string;
  readonly until: string;
  readonly number: number;
  readonly balance: number;
  readonly hash: string;
  readonly trail?: HeadResource;
  readonly installation?: HeadResource;
  readonly keyId: string;
  readonly publicKey: string;
  readonly signature: string;
}

interface HeadResource {
  readonly number: number;
  readonly hash: string;
}

function toHeadResource({ number, hash }: TrailHead): HeadResource {
  return { number, hash: hash.toString("hex") };
}

function parseHead(value: unknown): TrailHead | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { number, hash } = value as Readonly<Record<string, unknown>>;
  if (typeof number !== "number" || !Number.isSafeInteger(number)) return undefined;
  return { number, hash: Buffer.from(String(hash), "hex") };
}

export function toSealResource(seal: Seal, publicKey: string): SealResource {
  return {
    companyId: toPublicId(companyIdPrefix, seal.companyId),
    day: seal.day,
    until: seal.until.toISOString(),
    number: seal.number,
    balance: seal.balance,
    hash: seal.hash.toString("hex"),
    ...(seal.trails === undefined
      ? {}
      : {
          trail: toHeadResource(seal.trails.company),
          installation: toHeadResource(seal.trails.installation),
        }),
    keyId: seal.keyId,
    publicKey,
    signature: seal.signature.toString("base64"),
  };
}

export function toSealPayload(seal: Seal, publicKey: string): string {
  return toPayload("statements/sealed", toSealResource(seal, publicKey));
}

/** The seal that was handed over; undefined when a file that somebody kept has something else there. */
export function parseSealResource(value: unknown): Seal | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const said = value as Readonly<Record<keyof SealResource, unknown>>;
  const companyId = parsePublicId(companyIdPrefix, String(said.companyId));
  const until = new Date(String(said.until));
  if (companyId === undefined || Number.isNaN(until.getTime())) return undefined;
  if (!Number.isSafeInteger(said.number) || !Number.isSafeInteger(said.balance)) return undefined;
  const [company, installation] = [parseHead(said.trail), parseHead(said.installation)];
  return {
    companyId,
    day: String(said.day),
    until,
    number: said.number as number,
    balance: said.balance as number,
    hash: Buffer.from(String(said.hash), "hex"),
    trails: company && installation && { company, installation },
    keyId: String(said.keyId),
    signature: Buffer.from(String(said.signature), "base64"),
  };
}
