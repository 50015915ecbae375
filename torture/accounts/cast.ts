import type { CompanyRole } from "../../src/staff/roles.ts";

/** Somebody of flesh and blood: a place in `humans`. One human may have several addresses. */
export type Human = number;
/** An e-mail address, and the account that it may have: a place in `addresses`. */
export type Address = number;
/** A place in `companies`. */
export type Company = number;

export const humans = ["Awa", "Binta", "Cheikh", "Djeneba", "Eric", "Oumar"] as const;
export const companies = ["Acacia", "Baobab"] as const;

interface Part {
  readonly name: string;
  readonly human: Human;
  /** Where the address is a member when the sequence begins; the operator let it in. */
  readonly roles: Readonly<Record<Company, CompanyRole>>;
  /** Has an account from the beginning. */
  readonly isKnown: boolean;
  readonly isOperator?: true;
}

/**
 * Two companies, an operator and eight addresses of six humans. Awa and Djeneba have a second address each, of which nobody
 * else knows that it is theirs. Eric works for both companies.
 */
export const addresses: readonly Part[] = [
  { name: "awa", human: 0, roles: { 0: "owner" }, isKnown: true },
  { name: "binta", human: 1, roles: { 0: "owner" }, isKnown: true },
  { name: "cheikh", human: 2, roles: { 0: "preparer" }, isKnown: true },
  { name: "djeneba", human: 3, roles: { 1: "owner" }, isKnown: true },
  { name: "awa-2", human: 0, roles: {}, isKnown: false },
  { name: "djeneba-2", human: 3, roles: {}, isKnown: false },
  { name: "eric", human: 4, roles: { 0: "approver", 1: "preparer" }, isKnown: true },
  { name: "oumar", human: 5, roles: {}, isKnown: true, isOperator: true },
];

/** Who types the commands of the command line, and is not one of those who cheat. */
export const operatorHuman: Human = 5;

export function humanOf(address: Address): Human {
  return partOf(address).human;
}

export function nameOf(address: Address): string {
  return partOf(address).name;
}

export function partOf(address: Address): Part {
  const part = addresses[address];
  if (part === undefined) throw new Error(`there is no address ${address}`);
  return part;
}
