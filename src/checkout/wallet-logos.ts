import type { WalletEntry } from "../customers/wallet.ts";
import type { SmallLogos } from "./find-merchant.ts";

/** Pictures of one page of a history, inside its styles: each of them once, however often it is shown. */
export interface LogoSheet {
  readonly css: string;
  /** The class that shows this entry's logo; undefined where initials take its place. */
  classOf(entry: WalletEntry): string | undefined;
}

export const noLogos: LogoSheet = { css: "", classOf: () => undefined };

/** How much a picture grows inside a page, where it is base64 and compressed once more. */
const inlineGrowth = 1.04;

/** As many of the logos as there is room for, the newest entries' first. */
export async function makeLogoSheet(
  logos: SmallLogos,
  entries: readonly WalletEntry[],
  bytesMax: number,
): Promise<LogoSheet> {
  const classes = new Map<string, string>();
  let css = "";
  let left = bytesMax / inlineGrowth;
  for (const { companyId, subCompany } of entries) {
    if (subCompany === undefined || classes.has(keyOf(companyId, subCompany.logoUrl))) continue;
    const logo = await logos.find(companyId, subCompany.logoUrl);
    if (logo === undefined || logo.bytes.length > left) continue;
    left -= logo.bytes.length;
    const name = `l${classes.size}`;
    classes.set(keyOf(companyId, subCompany.logoUrl), name);
    css += `.${name}{background-image:url(data:${logo.type};base64,${logo.bytes.toString("base64")})}`;
  }
  return {
    css,
    classOf: ({ companyId, subCompany }) =>
      subCompany === undefined ? undefined : classes.get(keyOf(companyId, subCompany.logoUrl)),
  };
}

function keyOf(companyId: string, logoUrl: string): string {
  return `${companyId} ${logoUrl}`;
}
