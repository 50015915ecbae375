import type { Country } from "../kernel/countries.ts";
import { formatDate, formatDuration, formatTime } from "../pages/format.ts";
import type { Frame } from "./views/frame.ts";
import type { PhoneExample, Words } from "./words/fr.ts";

/** A text message's alphabet has neither of these; one of them would halve what fits into a message. */
export function toMessageText(text: string): string {
  return text.replaceAll("\u00a0", " ").replaceAll("’", "'");
}

/**
 * When a charge expires and how long that is from now. It is told as of the moment the page is made: a page has no
 * running clock.
 */
export function formatExpiry(words: Words, timeZone: string, now: Date, expiresAt: Date): string {
  const leftMs = expiresAt.getTime() - now.getTime();
  const time = formatTime(timeZone, expiresAt);
  if (leftMs >= 12 * 3_600_000)
    return words.expiresLater(formatDate(words, timeZone, expiresAt, "long"), time);
  return words.expires(time, formatDuration(words, Math.floor(leftMs / 1_000)));
}

/** A number of the reader's country, as it is dialled there and as it is dialled from anywhere. */
export function phoneExampleOf({ words, place: { country }, operator }: Frame): PhoneExample {
  const spaced = (text: string) => text.replaceAll(" ", "\u00a0");
  return {
    local: spaced(country.example),
    whole: spaced(`+${country.callingCode} ${country.example}`),
    country: formatCountry(words, country),
    operator: operator.name,
  };
}

/** The names of countries by language, each list made once like the formats. */
const countryNames = new Map<string, Intl.DisplayNames>();

export function formatCountry({ locale }: Words, { code }: Country): string {
  const names = countryNames.get(locale) ?? new Intl.DisplayNames(locale, { type: "region" });
  countryNames.set(locale, names);
  return names.of(code) ?? code;
}

/** Enough to recognise one's own phone, not enough to learn another's. */
export function maskPhone(msisdn: string): string {
  return `••\u00a0••\u00a0••\u00a0${msisdn.slice(-2)}`;
}
