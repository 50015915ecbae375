import { spellMsisdn } from "../../kernel/countries.ts";

/** A number as people there write it, which stays on one line. */
export function Phone({ msisdn }: { readonly msisdn: string }) {
  const digits = msisdn.replace(/^\+/, "");
  return <span class="phone">{spellMsisdn(digits).replaceAll(" ", "\u00a0")}</span>;
}
