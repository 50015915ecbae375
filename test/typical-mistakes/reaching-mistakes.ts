import { newAccessToken } from "../../src/companies/access-token.ts";
import {
  balance,
  invalid,
  json,
  type Mistake,
  mistake,
  post,
  raw,
  sendAs,
  transfer,
  unauthenticated,
} from "./mistake.ts";

const tokens: readonly Mistake[] = [
  mistake(
    "no token",
    balance({ token: null }),
    unauthenticated,
    ["missing", "no header Authorization", sendAs],
    ["manque", sendAs],
  ),
  mistake(
    "a token without Bearer",
    ({ token }) => balance({ token: null, headers: { authorization: token } }),
    unauthenticated,
    ["without the word Bearer", sendAs],
    ["sans le mot Bearer", sendAs],
  ),
  mistake(
    "X-Api-Key",
    ({ token }) => balance({ token: null, headers: { "x-api-key": token } }),
    unauthenticated,
    ["X-Api-Key", sendAs],
    ["X-Api-Key", sendAs],
  ),
  mistake(
    "the secret key as token",
    ({ secretKey }) => balance({ token: secretKey }),
    unauthenticated,
    ["secret key", "access token", sendAs],
    ["clé secrète", "jeton d’accès", sendAs],
  ),
  mistake(
    "a token of production",
    balance({ token: newAccessToken("production") }),
    unauthenticated,
    ["one of production", "Use a token of staging"],
    ["un jeton de production", "Utilisez un jeton de staging"],
  ),
  mistake(
    "a token that nobody has",
    balance({ token: newAccessToken("staging") }),
    unauthenticated,
    ["not known", "Copy it again, or create a new key"],
    ["pas connu", "créez une nouvelle clé"],
  ),
  mistake(
    "a token that was cut",
    ({ token }) => balance({ token: token.slice(0, 30) }),
    unauthenticated,
    ["30 characters instead of 46", "Copy it whole"],
    ["30 caractères au lieu de 46", "Copiez-le en entier"],
  ),
  mistake(
    "Basic authentication",
    balance({ token: null, headers: { authorization: "Basic YTpi" } }),
    unauthenticated,
    ["Bearer", sendAs],
    ["Bearer", sendAs],
  ),
  mistake(
    "another company's id",
    balance({ headers: { "x-company-id": "com_1" } }),
    [403, "company_mismatch"],
    ["X-Company-Id", "Leave it out"],
    ["X-Company-Id", "Omettez"],
  ),
];

const bodies: readonly Mistake[] = [
  mistake(
    "a comma too many",
    raw('{"type":"transfer",}'),
    json,
    ["line 1, column 20", "comma", "Take it out"],
    ["ligne 1, colonne 20", "virgule", "Retirez-la"],
  ),
  mistake(
    "single quotes",
    raw("{'type':'transfer'}"),
    json,
    ["line 1, column 2", "double quotes"],
    ["ligne 1, colonne 2", "guillemets doubles"],
  ),
  mistake(
    "a form",
    raw("amount=5000"),
    json,
    ["as a form sends it", "Send JSON"],
    ["comme un formulaire", "Envoyez du JSON"],
  ),
  mistake(
    "half of the body",
    raw('{"type":"transfer"'),
    json,
    ["line 1, column 19", "ends there"],
    ["ligne 1, colonne 19", "s’arrête là"],
  ),
  mistake(
    "NaN",
    raw('{"amount":NaN}'),
    json,
    ["line 1, column 11", "a number"],
    ["ligne 1, colonne 11", "un nombre"],
  ),
  mistake(
    "one name twice",
    raw('{"amount":1,"amount":2}'),
    json,
    ["A name stands twice", "Send each name once"],
    ["Un nom figure deux fois", "une seule fois"],
  ),
  mistake(
    "another content type",
    post("/v1/transactions", "amount=5000", {
      headers: { "content-type": "application/x-www-form-urlencoded" },
    }),
    [415, "unsupported_media_type"],
    ["Content-Type: application/json"],
    ["Content-Type: application/json"],
  ),
  mistake(
    "no body",
    { method: "POST", path: "/v1/transactions" },
    invalid,
    ["The body is missing", "must be an object"],
    ["Le corps manque", "un objet"],
  ),
  mistake(
    "a list as body",
    raw("[]"),
    invalid,
    ["The body is a list", "must be an object"],
    ["Le corps est une liste", "un objet"],
  ),
  mistake(
    "a body of more than a megabyte",
    transfer({ note: "x".repeat(1_100_000) }),
    [413, "body_too_large"],
    ["larger than", "Send smaller batches or shorter metadata"],
    ["dépasse", "plus petits"],
  ),
  mistake(
    "metadata of 20 KB",
    transfer({ metadata: { a: "x".repeat(20_000) } }),
    invalid,
    ["metadata is too large", "at most 16384 bytes"],
    ["metadata est trop volumineux", "16384 octets"],
  ),
];

/** How a request is sent. */
export const reachingMistakes: readonly Mistake[] = [...tokens, ...bodies];
