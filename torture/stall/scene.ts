import { setTimeout as sleep } from "node:timers/promises";
import { addCustomer } from "../../src/customers/keep-book.ts";
import type { GroundCompany, Place } from "../ground.ts";
import type { Campaign } from "../part.ts";
import type { Program } from "../program.ts";
import { Client } from "../traffic/client.ts";
import type { Catalog } from "./catalog.ts";

/** What everything in this part works with: two services on one database, and how long a stall lasts. */
export interface Scene {
  readonly campaign: Campaign;
  readonly place: Place;
  readonly catalog: Catalog;
  readonly programs: readonly [Program, Program];
}

/** A wallet of somebody whose KYC is pending may hold 200 000; this many are in it before the attack. */
const nearCeiling = 180_000;
/** A stopped service answers when it goes on, and what waits behind it comes after that. */
export const answerLimitMs = 240_000;
const pollMs = 20;
const giveLimitMs = 60_000;

/** A company as its two services see it. */
export interface Party {
  readonly company: GroundCompany;
  readonly clients: readonly [Client, Client];
}

export async function openParty({ place, programs }: Scene, name: string): Promise<Party> {
  const company = await place.makeCompany({ name, fund: 100_000_000_000 });
  const { accessToken: token } = company;
  const [first, second] = programs.map(
    ({ url }) => new Client({ token, url: () => url, answerLimitMs }),
  ) as [Client, Client];
  return { company, clients: [first, second] };
}

export async function closeParty({ clients }: Party): Promise<void> {
  for (const client of clients) await client.close();
}

/** A person whose wallet has room for 20 000 more. */
export async function addNearCeiling(
  { place }: Scene,
  { clients: [client] }: Party,
  msisdn: string,
): Promise<void> {
  const person = { msisdn, firstName: "Awa", lastName: "Diop", balanceMax: null };
  await addCustomer(place.database, { ...person, kycStatus: "pending" });
  const body = { type: "transfer", reference: `to ${msisdn}`, amount: nearCeiling, msisdn };
  const { id } = await client.demand({ method: "POST", path: "/v1/transactions", body });
  const isThere = async () => (await client.get(`/v1/transactions/${id}`)).status === "completed";
  if (!(await until(isThere, giveLimitMs))) throw new Error("the first money did not arrive");
}

/** Whether it came true while there was patience. Nothing is concluded from a "no": the attack goes on. */
export async function until(
  isTrue: () => Promise<boolean> | boolean,
  patienceMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    if (await isTrue()) return true;
    if (signal?.aborted === true || performance.now() > deadline) return false;
    await sleep(pollMs);
  }
}
