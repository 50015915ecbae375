import type { Cauri, GetCompanyAnswer } from "@cauri/sdk";
import { NotStaging } from "./errors.ts";

export interface Staging {
  readonly company: GetCompanyAnswer;
  /** Whose transfers and payments succeed, and whose fail. */
  readonly numbers: NonNullable<GetCompanyAnswer["service"]["testNumbers"]>;
}

/** For what only pretends. A service that does not say that it is staging is not. Throws NotStaging. */
export async function needStaging(cauri: Cauri, what: string): Promise<Staging> {
  const company = await cauri.company();
  const environment = company.service?.environment;
  const numbers = company.service?.testNumbers;
  if (environment !== "staging" || numbers === null || numbers === undefined)
    throw new NotStaging(what, environment);
  return { company, numbers };
}
