import type { Sentence } from "../kernel/language.ts";

const lengthMax = 2_048;
const schemes: readonly string[] = ["http:", "https:"];

const problems = {
  noUrl: {
    en: "is not a URL; it must be an http or https URL",
    fr: "n’est pas une URL. Valeur attendue\u00a0: une URL http ou https",
  },
  scheme: {
    en: "is a URL of another scheme; it must begin with https:// or http://",
    fr: "est une URL d’un autre schéma. Elle doit commencer par https:// ou http://",
  },
  password: {
    en: "holds a user name or a password; it must be a URL without them",
    fr: "contient un nom d’utilisateur ou un mot de passe. Valeur attendue\u00a0: une URL qui n’en contient pas",
  },
  loopback: {
    en: "leads to the payer's own machine; it must lead to your site",
    fr: "mène à la machine du payeur. Elle doit mener à votre site",
  },
  length: {
    en: `is too long; it must be at most ${lengthMax} characters, encoded`,
    fr: `est trop longue. Valeur attendue\u00a0: ${lengthMax} caractères au plus, une fois encodée`,
  },
} as const satisfies Record<string, Sentence>;

/**
 * Reads an address the payer's browser will be sent to: the URL as browsers write it, or a sentence that
 * says what is wrong. The browser goes there, not this service, so private networks are nobody's danger;
 * but in production the payer's own machine is never meant.
 */
export function readRedirectionUrl(
  text: string,
  isProduction: boolean,
): { readonly href: string } | { readonly problem: Sentence } {
  // Browsers drop line breaks and outer spaces without a word; here they are a mistake worth telling.
  if (!URL.canParse(text) || /[\s\p{Cc}]/u.test(text)) return { problem: problems.noUrl };
  const url = new URL(text);
  if (!schemes.includes(url.protocol)) return { problem: problems.scheme };
  if (url.username !== "" || url.password !== "") return { problem: problems.password };
  if (isProduction && isLoopback(url.hostname)) return { problem: problems.loopback };
  if (url.href.length > lengthMax) return { problem: problems.length };
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
