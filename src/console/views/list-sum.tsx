import { formatAmount } from "../../pages/format.ts";
import type { ScreenContext } from "../context.ts";
import { toQuery } from "../list-query.ts";
import { Facts } from "./table.tsx";

interface SumWords {
  readonly sumTitle: string;
  readonly sum: (count: number, isMore: boolean) => string;
  readonly sumMore: (rows: number) => string;
  readonly exportTitle: string;
  readonly exportExcel: string;
  readonly exportMachine: string;
}

/** What a list comes to that is filtered like this, and the same as a file. */
export function ListSum({
  context,
  path,
  words,
  typed,
  sum: { count, isMore },
  amounts,
  rowsMax,
}: {
  readonly context: ScreenContext;
  /** Of the list. */
  readonly path: string;
  readonly words: SumWords;
  readonly typed: Readonly<Record<string, string | undefined>>;
  readonly sum: { readonly count: number; readonly isMore: boolean };
  /** In francs, each with its name. */
  readonly amounts: readonly (readonly [name: string, francs: number])[];
  /** As many rows as a sum looks at. */
  readonly rowsMax: number;
}) {
  const exportHref = (dialect: string) => context.href(`${path}.csv`, toQuery(typed, { dialect }));
  return (
    <section class="card">
      <h2>{words.sumTitle}</h2>
      <p>
        <strong>{words.sum(count, isMore)}</strong>
      </p>
      <Facts
        facts={amounts.map(
          ([name, francs]) => [name, formatAmount(context.words, francs)] as const,
        )}
      />
      {isMore && <p class="soft">{words.sumMore(rowsMax)}</p>}
      <p class="row">
        <span>{words.exportTitle}</span>
        <a href={exportHref("excel-fr")}>{words.exportExcel}</a>
        <a href={exportHref("machine")}>{words.exportMachine}</a>
      </p>
    </section>
  );
}
