/** Told apart by their first bytes, never by what a server says of them. */
export type LogoType = "image/png" | "image/jpeg" | "image/webp";

/** Our copy of a company's picture, to be served from our own origin. */
export interface Logo {
  readonly type: LogoType;
  readonly bytes: Buffer;
}

export const logoBytesMax = 100 * 1_024;
export const logoPixelsMax = 4_096;
/** The largest that payers are shown: a page may weigh 14 KB, and everything else on it needs the rest. */
export const logoShownBytesMax = 8 * 1_024;

/** What has become of a logo that somebody named. */
export interface LogoState {
  readonly status: "waiting" | "fetched" | "failed";
  /** Bytes of our copy; 0 while there is none. */
  readonly size: number;
}

/** What came of asking for a logo. */
export type LogoAnswer =
  | {
      readonly kind: "answered";
      readonly statusCode: number;
      readonly body: Buffer;
      /** The answer was longer than what was read of it. */
      readonly isCut: boolean;
    }
  /** The address may not be asked; trying again will not help. */
  | { readonly kind: "forbidden"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string }
  /** This node is stopping; it says nothing about the logo. */
  | { readonly kind: "given-up" };

/** Asks for a URL that others have chosen, through the egress guard. */
export type AskForLogo = (companyId: string, url: string) => Promise<LogoAnswer>;
