import type { IncomingHttpHeaders } from "node:http";
import type { Environment } from "../database/environment.ts";
import { composeSentence, type Sentence } from "../kernel/language.ts";
import { accessTokenLength, accessTokenShape, environmentOf } from "./access-token.ts";

const howToSend: Sentence = {
  en: "Send it as: Authorization: Bearer at_…",
  fr: "Envoyez-le ainsi\u00a0: Authorization: Bearer at_…",
};

function andHow(problem: Sentence): Sentence {
  return composeSentence((language) => `${problem[language]} ${howToSend[language]}`);
}

const missing = andHow({
  en: "The access token is missing: there is no header Authorization.",
  fr: "Le jeton d’accès manque\u00a0: il n’y a pas d’en-tête Authorization.",
});

const withoutBearer = andHow({
  en: "The header Authorization holds a token without the word Bearer before it.",
  fr: "L’en-tête Authorization contient un jeton sans le mot Bearer devant.",
});

const otherScheme = andHow({
  en: "The header Authorization does not hold one Bearer token.",
  fr: "L’en-tête Authorization ne contient pas un jeton Bearer.",
});

const secretKey = andHow({
  en: "The token is a secret key (sk_…), which only verifies the signatures of webhooks. Take the access token that was issued with it.",
  fr: "Le jeton est une clé secrète (sk_…), qui ne sert qu’à vérifier les signatures des webhooks. Prenez le jeton d’accès délivré avec elle.",
});

const otherKind = andHow({
  en: "The token is not an access token: those begin with at_.",
  fr: "Le jeton n’est pas un jeton d’accès\u00a0: ceux-ci commencent par at_.",
});

/** Where other services have their keys. */
const otherHeaders = ["X-Api-Key", "Api-Key", "X-Access-Token", "X-Auth-Token"];

/**
 * What is wrong with the token of a request, told from its headers alone: nothing is looked up for it, and nothing of the
 * token is said again.
 */
export function describeWrongToken(
  headers: IncomingHttpHeaders,
  environment: Environment,
): Sentence {
  const { authorization } = headers;
  if (authorization === undefined) {
    const other = otherHeaders.find((name) => headers[name.toLowerCase()] !== undefined);
    return other === undefined ? missing : notRead(other);
  }
  const [, token] = /^bearer ([^ ]*)$/i.exec(authorization) ?? [];
  if (token === undefined)
    return /^\s*(?:at|sk)_/.test(authorization) ? withoutBearer : otherScheme;
  if (token.startsWith("sk_")) return secretKey;
  if (!token.startsWith("at_")) return otherKind;
  if (!accessTokenShape.test(token)) return misshapen(token.length);
  const own = environmentOf(token);
  return own === undefined || own === environment
    ? unknown(environment)
    : foreign(own, environment);
}

function notRead(header: string): Sentence {
  return andHow({
    en: `The access token is not read from the header ${header}.`,
    fr: `Le jeton d’accès n’est pas lu dans l’en-tête ${header}.`,
  });
}

function misshapen(length: number): Sentence {
  const isOther = length !== accessTokenLength;
  return andHow({
    en: isOther
      ? `The access token has ${length} characters instead of ${accessTokenLength}. Copy it whole, without quotes.`
      : "The access token holds a character that no token has. Copy it again, without quotes.",
    fr: isOther
      ? `Le jeton d’accès a ${length} caractères au lieu de ${accessTokenLength}. Copiez-le en entier, sans guillemets.`
      : "Le jeton d’accès contient un caractère qu’aucun jeton n’a. Copiez-le de nouveau, sans guillemets.",
  });
}

function foreign(own: Environment, here: Environment): Sentence {
  return {
    en: `The access token is one of ${own}, and this service is ${here}. Use a token of ${here}, or the address of ${own}.`,
    fr: `Le jeton d’accès est un jeton de ${own}, et ce service est ${here}. Utilisez un jeton de ${here}, ou l’adresse de ${own}.`,
  };
}

function unknown(here: Environment): Sentence {
  return {
    en: `The access token is not known to this service (${here}): it is mistyped, or it was revoked, replaced or issued elsewhere. Copy it again, or create a new key.`,
    fr: `Le jeton d’accès n’est pas connu de ce service (${here})\u00a0: il est mal copié, ou il a été révoqué, remplacé ou délivré ailleurs. Copiez-le de nouveau, ou créez une nouvelle clé.`,
  };
}
