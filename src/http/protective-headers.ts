const twoYearsInSeconds = 63_072_000;

/**
 * Headers of every answer: it must not be cached, taken for another type, shown in a frame, or run anything. Pages
 * add headers of their own and replace some of these.
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
