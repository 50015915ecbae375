import { Overloaded } from "../../kernel/errors.ts";
import { ExportsTooMany } from "../errors.ts";

/** A person downloads one file, or one of each kind by and by. */
const perCompanyMax = 2;
/** Each holds some ten thousand rows at most; more than these would crowd out what the service is for. */
const perNodeMax = 8;

/** How many exports a node writes at a time, and how many of them for one company. */
export class ExportPlaces {
  readonly #taken = new Map<string, number>();
  #total = 0;

  /** Answers how the place is given back. */
  take(companyId: string): () => void {
    const taken = this.#taken.get(companyId) ?? 0;
    if (taken >= perCompanyMax) throw new ExportsTooMany(perCompanyMax);
    if (this.#total >= perNodeMax) throw new Overloaded();
    this.#taken.set(companyId, taken + 1);
    this.#total += 1;
    return () => this.#giveBack(companyId);
  }

  #giveBack(companyId: string): void {
    const left = (this.#taken.get(companyId) ?? 0) - 1;
    if (left > 0) this.#taken.set(companyId, left);
    else this.#taken.delete(companyId);
    this.#total -= 1;
  }
}
