import { CompanyFrozen } from "../../ledger/errors.ts";
import type { ScreenContext } from "../context.ts";

/** Nothing of a frozen company is changed, also where no entry of the trail would refuse it. */
export function refuseFrozen({ company }: Pick<ScreenContext, "company">): void {
  if (company.isFrozen) throw new CompanyFrozen();
}
