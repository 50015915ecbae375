/** How often a company may do something in a window of time. */
export interface Quota {
  readonly name: "customer_checks" | "logos" | "sub_companies" | "unknown_recipients";
  readonly max: number;
}

interface Terms {
  readonly windowSeconds: number;
  /** The sentence around the number. */
  readonly sentence: (max: number) => string;
}

const day = 86_400;
/** For what is counted up once and for all. */
const always = 1_000 * 365 * day;

export const termsOf: Record<Quota["name"], Terms> = {
  customer_checks: {
    windowSeconds: 60,
    sentence: (max) => `An account can check ${max} customers a minute.`,
  },
  logos: {
    windowSeconds: day,
    sentence: (max) => `An account can name ${max} new logos a day.`,
  },
  sub_companies: {
    windowSeconds: always,
    sentence: (max) => `An account can have ${max} sub-companies.`,
  },
  unknown_recipients: {
    windowSeconds: day,
    sentence: (max) =>
      `An account can send ${max} transactions a day to numbers that nobody has registered. Check numbers before you send to them.`,
  },
};
