import type { Operator } from "../../config.ts";
import type { Place } from "../../kernel/countries.ts";
import type { Words } from "../words/fr.ts";

/** What every page has, whatever it shows. */
export interface Frame {
  readonly words: Words;
  readonly nonce: string;
  /** Staging: no page there may be mistaken for one that moves real money. */
  readonly isTest: boolean;
  readonly operator: Operator;
  /** Whose phone numbers are meant without a country code, and whose time it is. */
  readonly place: Place;
  /** An address of ours, in the language that was chosen. */
  readonly href: (path: string, query?: Readonly<Record<string, string>>) => string;
  /** Where this page is, for the language switch; undefined for an address that must not be repeated. */
  readonly path: string | undefined;
}

/** Who asks to be paid, as the payer is told. */
export interface Merchant {
  readonly name: string;
  /** Undefined: initials take its place. */
  readonly logoHref: string | undefined;
}
