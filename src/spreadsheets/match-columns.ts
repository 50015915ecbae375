import { normalized } from "../kernel/normalized.ts";

/** Where each field stands in a row; undefined where no heading names it. */
type Columns<Field extends string> = Readonly<Partial<Record<Field, number>>>;

export interface MatchedColumns<Field extends string> {
  readonly columns: Columns<Field>;
  /** Fields that more than one heading names: nobody can tell which is meant. */
  readonly repeated: readonly Field[];
}

/** A heading as it is compared: small letters without accents, and single spaces for all that is no letter or digit. */
export function plainHeading(heading: string): string {
  return normalized(heading, "NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Finds the fields by their headings, in any order. Names are given as `plainHeading` makes them. */
export function matchColumns<Field extends string>(
  header: readonly string[],
  names: Readonly<Record<Field, readonly string[]>>,
): MatchedColumns<Field> {
  const headings = header.map(plainHeading);
  const columns: Partial<Record<Field, number>> = {};
  const repeated: Field[] = [];
  for (const field of Object.keys(names) as Field[]) {
    const places = headings.flatMap((heading, place) =>
      names[field].includes(heading) ? [place] : [],
    );
    if (places.length > 1) repeated.push(field);
    if (places[0] !== undefined) columns[field] = places[0];
  }
  return { columns, repeated };
}
