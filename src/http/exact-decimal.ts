/**
 * Whether a number comes back from a double as the one that was written: 5000.0 does, 5000.0000000000001 and
 * 12345678901234567890 do not. What is no number at all is left to whoever reads it.
 */
export function isExactDecimal(text: string): boolean {
  const value = Number(text);
  if (Number.isNaN(value)) return true;
  return Number.isFinite(value) && digitsOf(text) === digitsOf(String(value));
}

/** The significant digits: without sign, point, exponent and the zeros around them. */
function digitsOf(text: string): string {
  const [mantissa = ""] = text.toLowerCase().split("e", 1);
  const digits = mantissa.replaceAll(/[-+.]/g, "");
  let start = 0;
  let end = digits.length;
  while (digits[start] === "0") start += 1;
  // From the end: a pattern that looks for zeros before the end begins anew at each of them.
  while (end > start && digits[end - 1] === "0") end -= 1;
  return digits.slice(start, end);
}
