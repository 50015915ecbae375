import type { Database } from "../../database/database.ts";
import { dayOf, startOfDay } from "../../kernel/days.ts";
import { StatementNotReady } from "../../statements/errors.ts";
import { readVolumes } from "../../statements/read-volumes.ts";
import type { LineKind, LineTotals } from "../../statements/statement.ts";
import type { ConsoleCompany } from "../context.ts";

/** What passed in the name of a sub-company in a month, without fees. */
export interface Volume {
  readonly sent: number;
  readonly sentCount: number;
  readonly collected: number;
  readonly collectedCount: number;
  readonly refunded: number;
}

export interface Month {
  /** Its first moment where the company is. */
  readonly begins: Date;
  /** By sub-company; null while very much is still to be summed. */
  readonly volumes: ReadonlyMap<string, Volume> | null;
}

const nothing = { count: 0, amount: 0, fee: 0 };

/** The month so far, for these sub-companies. */
export async function readMonth(
  database: Database,
  now: Date,
  { id, timeZone }: Pick<ConsoleCompany, "id" | "timeZone">,
  subCompanyIds: readonly string[],
): Promise<Month> {
  const begins = startOfDay(`${dayOf(now, timeZone).slice(0, 7)}-01`, timeZone);
  try {
    const totals = await readVolumes(database, id, subCompanyIds, begins);
    const volumes = new Map([...totals].map(([one, sums]) => [one, toVolume(sums)]));
    return { begins, volumes };
  } catch (error) {
    if (!(error instanceof StatementNotReady)) throw error;
    return { begins, volumes: null };
  }
}

function toVolume(totals: readonly LineTotals[]): Volume {
  const of = (kind: LineKind) => totals.find((one) => one.kind === kind) ?? nothing;
  // An amount is signed and has the fee in it; with the fee added it is what moved.
  const moved = (kind: LineKind) => of(kind).amount + of(kind).fee;
  return {
    // What came back this month may have been sent in the last seconds of the one before.
    sent: Math.max(0, -moved("transfer") - moved("transfer_returned")),
    sentCount: Math.max(0, of("transfer").count - of("transfer_returned").count),
    collected: moved("payment"),
    collectedCount: of("payment").count,
    refunded: -moved("refund"),
  };
}

/** "novembre 2026" as the language writes it. */
export function nameMonth(locale: string, timeZone: string, begins: Date): string {
  return new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone }).format(
    begins,
  );
}
