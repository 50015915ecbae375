import type { Operator } from "../config.ts";
import type { Country } from "../kernel/countries.ts";
import { withoutSlashes } from "../kernel/without-slashes.ts";

/** What the pages of an installation have in common. */
export interface PageSettings {
  readonly publicUrl: string;
  readonly isProduction: boolean;
  readonly operator: Operator;
  /** Where readers are of whom nothing else is known. */
  readonly country: Country;
  /** The name in the headers of notifications. */
  readonly brand: string;
}

/** The path of PUBLIC_URL, without a slash at its end: an installation may share its host with others. */
export function basePathOf({ publicUrl }: Pick<PageSettings, "publicUrl">): string {
  return withoutSlashes(new URL(publicUrl).pathname);
}
