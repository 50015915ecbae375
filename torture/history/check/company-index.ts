import type {
  ChargeState,
  ChargeTransactionState,
  CompanyState,
  TransferState,
} from "../final-state.ts";
import { groupBy } from "./group-by.ts";

/** The final books of one company, by what the checks look for. The number of a posting is the witness of the order. */
export class CompanyIndex {
  readonly state: CompanyState;
  readonly last: number;
  readonly transfersById: ReadonlyMap<string, TransferState>;
  readonly transfersByReference: ReadonlyMap<string, readonly TransferState[]>;
  readonly chargesById: ReadonlyMap<string, ChargeState>;
  /** In the order of the list. */
  readonly newestLast: readonly TransferState[];
  /** The highest part of an amount that was taken as a fee. */
  readonly feeMax: number;
  readonly #available: number[] = [0];
  readonly #numbers = new Map<string, number[]>();
  readonly #places: ReadonlyMap<string, number>;

  constructor(state: CompanyState) {
    this.state = state;
    this.last = state.postings.length;
    for (const { event, subject, availableAfter } of state.postings) {
      this.#available.push(availableAfter ?? this.#available.at(-1) ?? 0);
      const name = `${subject} ${event}`;
      this.#numbers.set(name, [...(this.#numbers.get(name) ?? []), this.#available.length - 1]);
    }
    this.transfersById = new Map(state.transfers.map((one) => [one.id, one]));
    this.transfersByReference = groupBy(state.transfers, ({ reference }) => reference);
    this.chargesById = new Map(state.charges.map((one) => [one.id, one]));
    this.newestLast = state.transfers.toSorted((one, other) => (one.uuid < other.uuid ? -1 : 1));
    this.#places = new Map(this.newestLast.map(({ id }, place) => [id, place]));
    this.feeMax = state.transfers.reduce(
      (most, { fee, amount }) => Math.max(most, fee / amount),
      0,
    );
  }

  placeOf(id: string): number | undefined {
    return this.#places.get(id);
  }

  /** The balance after so many postings. */
  availableAfter(number: number): number {
    return this.#available[number] ?? 0;
  }

  /** When the money of a transfer was taken. Infinity: never. */
  reservedAt({ uuid }: TransferState): number {
    return this.#firstOf(uuid, "transfer.reserved");
  }

  /** When it was completed or given back. */
  endedAt({ uuid, status }: TransferState): number {
    return this.#firstOf(uuid, status === "failed" ? "transfer.released" : "transfer.completed");
  }

  /** When a payment or a refund of a charge moved money. */
  movedAt({ id, type }: ChargeTransactionState): number {
    return this.#firstOf(id, type === "payment" ? "charge.paid" : "charge.refunded");
  }

  movementAt(uuid: string, kind: "fund" | "withdraw"): number {
    return this.#firstOf(uuid, kind === "fund" ? "company.funded" : "company.withdrawn");
  }

  #firstOf(subject: string, event: string): number {
    return this.#numbers.get(`${subject} ${event}`)?.[0] ?? Infinity;
  }
}

/** Those that moved money. */
export function movedOf({ transactions }: ChargeState): readonly ChargeTransactionState[] {
  return transactions.filter(({ status }) => status === "completed");
}
