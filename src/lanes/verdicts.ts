import { orderedId } from "../kernel/ordered-id.ts";

/** What `submit_transfers` and `submit_charges` answer for a whole set. */
export interface SubmittedRow<Problem extends string> {
  readonly ms: number;
  readonly base: number;
  /** Null: everything was made. Place 0 is what the set itself stands for (a batch); its rows count from 1. */
  readonly places: readonly number[] | null;
  readonly problems: readonly Problem[] | null;
  readonly existing: readonly (string | null)[] | null;
}

/** Why a row was not made, and what was there before it. */
export interface Refusal<Problem extends string> {
  readonly place: number;
  readonly problem: Problem;
  readonly existingId: string | null;
}

/** A row is made, and this is its id; or it is refused. */
export type Verdict<Problem extends string> =
  | { readonly id: string; readonly refusal?: undefined }
  | { readonly id?: undefined; readonly refusal: Refusal<Problem> };

export function refusalsIn<Problem extends string>({
  places,
  problems,
  existing,
}: SubmittedRow<Problem>): Refusal<Problem>[] {
  return (places ?? []).map((place, index) => ({
    place,
    problem: problems?.[index] as Problem,
    existingId: existing?.[index] ?? null,
  }));
}

/** One verdict for each of `count` rows, in their order. */
export function verdictsOf<Problem extends string>(
  row: SubmittedRow<Problem>,
  nonce: number,
  count: number,
): Verdict<Problem>[] {
  const verdicts: Verdict<Problem>[] = [];
  for (let place = 1; place <= count; place += 1)
    verdicts.push({ id: orderedId(row.ms, row.base + place, nonce) });
  for (const refusal of refusalsIn(row)) verdicts[refusal.place - 1] = { refusal };
  return verdicts;
}
