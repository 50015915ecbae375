import { inThrees } from "../../kernel/in-threes.ts";
import type { BudgetState } from "../../messages/measure-budgets.ts";
import { Progress } from "../views/progress.tsx";
import { Table } from "../views/table.tsx";
import type { OperationsWords } from "../words/operations.ts";

/** What is used of budgets of messages. */
export function Budgets({
  words,
  caption,
  budgets,
}: {
  readonly words: OperationsWords["health"];
  readonly caption: string;
  readonly budgets: readonly BudgetState[];
}) {
  const nameOf = ({ scope, country }: BudgetState) =>
    scope === "country" ? words.country(country ?? "") : words.scopes[scope];
  const used = (label: string, done: number, total: number) => (
    <Progress
      label={label}
      done={done}
      total={total}
      text={words.of(grouped(done), grouped(total))}
    />
  );
  return (
    <Table
      caption={caption}
      rows={budgets}
      keyOf={nameOf}
      columns={[
        { key: "scope", title: words.scope, isHead: true, cell: nameOf },
        {
          key: "hour",
          title: words.hour,
          cell: (state) => used(`${nameOf(state)}, ${words.hour}`, state.hour, state.hourMax),
        },
        {
          key: "day",
          title: words.day,
          cell: (state) => used(`${nameOf(state)}, ${words.day}`, state.day, state.dayMax),
        },
      ]}
    />
  );
}

/** "25 000": the space keeps it on one line in either language. */
function grouped(count: number): string {
  return inThrees(String(count), "\u00a0");
}
