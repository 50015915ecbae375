import type { LastSeal } from "../statements/list-seals.ts";
import { toFrancs, toTable } from "./table.ts";

/** For whoever holds later ones: nothing in a database that was restored can tell that there are some. */
export function describeSeals(seals: readonly LastSeal[]): string[] {
  if (seals.length === 0) return ["No day of any company is sealed in it."];
  return [
    "The last seal of each company. Compare them with what was kept outside, all at once with cauri audit --seals FILE: what is newer there is missing here.",
    toTable([
      ["COMPANY", "DAY", "LAST POSTING", "BALANCE", "HASH BEGINS"],
      ...seals.map(({ companyName, seal }) => [
        companyName,
        seal.day,
        String(seal.number),
        toFrancs(seal.balance),
        seal.hash.toString("hex").slice(0, 16),
      ]),
    ]),
  ];
}
