import type { ScreenContext } from "../context.ts";
import { toQuery } from "../list-query.ts";
import { Chips } from "./chips.tsx";

/** The filters of a list that hold, in its own words. */
export function ChosenFilters<Field extends string>({
  context,
  path,
  labels,
  typed,
  shown,
}: {
  readonly context: ScreenContext;
  /** Of the list. */
  readonly path: string;
  /** In the order in which they are shown. */
  readonly labels: readonly (readonly [field: Field, label: string])[];
  readonly typed: Readonly<Partial<Record<Field, string>>>;
  /** What a person sees of what was typed. */
  readonly shown: (field: Field, text: string) => string;
}) {
  return (
    <Chips
      words={context.words}
      chips={labels.flatMap(([field, label]) => {
        const text = typed[field];
        if (text === undefined) return [];
        const without = context.href(path, toQuery(typed, { [field]: undefined }));
        return [{ label: `${label} : ${shown(field, text)}`, without }];
      })}
    />
  );
}
