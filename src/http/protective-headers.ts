const twoYearsInSeconds = 63_072_000;

/**
 * On every answer: nobody keeps it, guesses what it is, shows it in a frame or runs anything in it. Pages say
 * more about themselves and replace what does not suit them.
 */
export function protectiveHeaders(
  environment: "staging" | "production",
): Readonly<Record<string, string>> {
  return {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    ...(environment === "production"
      ? { "strict-transport-security": `max-age=${twoYearsInSeconds}` }
      : {}),
  };
}
