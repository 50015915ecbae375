import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import { selectCounts } from "./budget-store.ts";

/** How much of a budget is used, from 0 to 1. */
export interface BudgetUse {
  readonly scope: "country" | "all";
  readonly span: "hour" | "day";
  readonly used: number;
}

/** What was sent of a budget, and how much it is. */
export interface BudgetState {
  readonly scope: "company" | "country" | "all";
  /** The calling code of a country. */
  readonly country: string | undefined;
  readonly hour: number;
  readonly hourMax: number;
  readonly day: number;
  readonly dayMax: number;
}

type Budgets = Pick<Config, "messageBudgets" | "messageCountries">;

/** The budgets that all companies share, country by country; with a company, only its own. */
export async function readBudgets(
  database: Database,
  { messageBudgets, messageCountries }: Budgets,
  companyId?: string,
): Promise<BudgetState[]> {
  const subjects =
    companyId === undefined
      ? ["all", ...messageCountries.map((country) => `country:${country}`)]
      : [`company:${companyId}`];
  const counts = await selectCounts(database, subjects);
  return subjects.map((subject) => {
    const [scope, named] = subject.split(":") as [BudgetState["scope"], string?];
    const row = counts.find((count) => count.subject === subject);
    const { hour, day } = messageBudgets[scope];
    return {
      scope,
      country: scope === "country" ? named : undefined,
      hour: row?.hour_count ?? 0,
      hourMax: hour,
      day: row?.day_count ?? 0,
      dayMax: day,
    };
  });
}

/** For /metrics: the budgets that all companies share. Of countries, the one that has used most. */
export async function measureBudgets(database: Database, config: Budgets): Promise<BudgetUse[]> {
  const states = await readBudgets(database, config);
  return (["all", "country"] as const).flatMap((scope) => {
    const ofScope = states.filter((state) => state.scope === scope);
    const most = (usedOf: (state: BudgetState) => number) => Math.max(0, ...ofScope.map(usedOf));
    return [
      { scope, span: "hour", used: most(({ hour, hourMax }) => hour / hourMax) } as const,
      { scope, span: "day", used: most(({ day, dayMax }) => day / dayMax) } as const,
    ];
  });
}
