const lengthMax = 2_048;
const schemes: readonly string[] = ["http:", "https:"];

/**
 * Reads an address the payer's browser will be sent to: the URL as browsers write it, or a sentence that
 * says what is wrong. The browser goes there, not this service, so private networks are nobody's danger;
 * but in production the payer's own machine is never meant.
 */
export function readRedirectionUrl(
  text: string,
  isProduction: boolean,
): { readonly href: string } | { readonly problem: string } {
  // Browsers drop line breaks and outer spaces without a word; here they are a mistake worth telling.
  if (!URL.canParse(text) || /[\s\p{Cc}]/u.test(text)) return { problem: "must be a URL" };
  const url = new URL(text);
  if (!schemes.includes(url.protocol)) return { problem: "must be an http or https URL" };
  if (url.username !== "" || url.password !== "")
    return { problem: "must not hold a user name or password" };
  if (isProduction && isLoopback(url.hostname))
    return { problem: "must not lead to the payer's own machine" };
  if (url.href.length > lengthMax)
    return { problem: `must be at most ${lengthMax} characters, encoded` };
  return { href: url.href };
}

/** After parsing, every way to write an address has become one. */
function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    /^(?:127|0)\.\d+\.\d+\.\d+$/.test(name) ||
    /^\[::1?\]$/.test(name) ||
    /^\[::(?:ffff:)?7f[0-9a-f]{2}:/.test(name)
  );
}
