import type { Sentence } from "../kernel/language.ts";

/** How often a company may do something in a window of time. */
export interface Quota {
  readonly name:
    | "customer_checks"
    | "logos"
    | "replays"
    | "sub_companies"
    | "test_events"
    | "unknown_recipients";
  readonly max: number;
}

interface Terms {
  readonly windowSeconds: number;
  /** The sentence around the number. */
  readonly sentence: (max: number) => Sentence;
}

const day = 86_400;
/** For what is counted up once and for all. */
const always = 1_000 * 365 * day;

export const termsOf: Record<Quota["name"], Terms> = {
  customer_checks: {
    windowSeconds: 60,
    sentence: (max) => ({
      en: `An account can check ${max} customers a minute.`,
      fr: `Un compte peut vérifier ${max} clients par minute.`,
    }),
  },
  logos: {
    windowSeconds: day,
    sentence: (max) => ({
      en: `An account can name ${max} new logos a day.`,
      fr: `Un compte peut indiquer ${max} nouveaux logos par jour.`,
    }),
  },
  replays: {
    windowSeconds: 3_600,
    sentence: (max) => ({
      en: `An account can ask for ${max} ranges of deliveries again in an hour.`,
      fr: `Un compte peut demander ${max} plages d’envois à nouveau par heure.`,
    }),
  },
  sub_companies: {
    windowSeconds: always,
    sentence: (max) => ({
      en: `An account can have ${max} sub-companies.`,
      fr: `Un compte peut avoir ${max} sous-sociétés.`,
    }),
  },
  test_events: {
    windowSeconds: 60,
    sentence: (max) => ({
      en: `An account can have ${max} test events sent a minute.`,
      fr: `Un compte peut faire envoyer ${max} événements d’essai par minute.`,
    }),
  },
  unknown_recipients: {
    windowSeconds: day,
    sentence: (max) => ({
      en: `An account can send ${max} transactions a day to numbers that nobody has registered. Check numbers before you send to them.`,
      fr: `Un compte peut envoyer ${max} transactions par jour à des numéros que personne n’a enregistrés. Vérifiez les numéros avant d’envoyer.`,
    }),
  },
};
