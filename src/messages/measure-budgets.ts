import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import { type CountRow, selectCounts } from "./budget-store.ts";

/** How much of a budget is used, from 0 to 1. */
export interface BudgetUse {
  readonly scope: "country" | "all";
  readonly span: "hour" | "day";
  readonly used: number;
}

/** For /metrics: the budgets that all companies share. Of countries, the one that has used most. */
export async function measureBudgets(
  database: Database,
  { messageBudgets, messageCountries }: Pick<Config, "messageBudgets" | "messageCountries">,
): Promise<BudgetUse[]> {
  const subjects = ["all", ...messageCountries.map((country) => `country:${country}`)];
  const counts = await selectCounts(database, subjects);
  return (["all", "country"] as const).flatMap((scope) => {
    const rows = counts.filter(({ subject }) => subject.startsWith(scope));
    const most = (countOf: (row: CountRow) => number) => Math.max(0, ...rows.map(countOf));
    const { hour, day } = messageBudgets[scope];
    return [
      { scope, span: "hour", used: most((row) => row.hour_count) / hour } as const,
      { scope, span: "day", used: most((row) => row.day_count) / day } as const,
    ];
  });
}
