/** info: something to know. warning: something is disturbed. outage: something does not work. */
export const severities = ["info", "warning", "outage"] as const;
export type Severity = (typeof severities)[number];

/** What everybody at the console is told of an incident. */
export interface Banner {
  readonly severity: Severity;
  readonly fr: string;
  readonly en: string;
  readonly shownAt: Date;
  readonly endsAt: Date;
}

export interface NewBanner extends Pick<Banner, "severity" | "fr" | "en"> {
  /** How long it is shown. */
  readonly minutes: number;
}

export const bannerTextMax = 500;
