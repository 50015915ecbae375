const dayMs = 86_400_000;
/** The day 0 of sheets; counted so that it is right from March 1900, for Excel has a 29 February 1900. */
const dayZeroMs = Date.UTC(1899, 11, 30);
const days1904 = 1_462;

/** Excel keeps 15 digits of a number and shows no more. */
const plain = new Intl.NumberFormat("en-US", { useGrouping: false, maximumSignificantDigits: 15 });

/** A number as a person would type it: no exponent, no digits that come from reckoning in binary. */
export function toPlainNumber(text: string): string {
  if (/^-?(?:0|[1-9]\d*)$/.test(text)) return text;
  const number = Number(text);
  return Number.isFinite(number) ? plain.format(number) : text;
}

/** A sheet's date as `2026-11-15`, or `2026-11-15 21:35:06` where it has a time of day. */
export function toDateText(text: string, from1904: boolean): string {
  const seconds = Math.round((Number(text) + (from1904 ? days1904 : 0)) * 86_400);
  const date = new Date(dayZeroMs + seconds * 1_000);
  if (text.trim() === "" || Number.isNaN(date.getTime())) return text;
  const [day = "", time = ""] = date.toISOString().slice(0, 19).split("T");
  return time === "00:00:00" ? day : `${day} ${time}`;
}

/** `2026-11-15 21:35:06` as the number that a sheet keeps for it. */
export function toSheetDate(text: string): number {
  return (Date.parse(`${text.replace(" ", "T")}Z`) - dayZeroMs) / dayMs;
}
