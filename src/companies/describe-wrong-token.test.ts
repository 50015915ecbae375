import { expect } from "vitest";
import { test } from "../../test/fixtures.ts";
import { environmentOf, newAccessToken } from "./access-token.ts";

test("401: each way to send a wrong token has its own message, and nothing of the token is in it", async ({
  service,
  company,
}) => {
  const good = company.accessToken;
  const ways: readonly (readonly [Record<string, string>, string, string])[] = [
    [{}, "there is no header Authorization", "il n’y a pas d’en-tête Authorization"],
    [{ authorization: good }, "without the word Bearer", "sans le mot Bearer"],
    [
      { "x-api-key": good },
      "not read from the header X-Api-Key",
      "pas lu dans l’en-tête X-Api-Key",
    ],
    [{ authorization: "Basic YTpi" }, "does not hold one Bearer token", "pas un jeton Bearer"],
    [
      { authorization: `Bearer sk_${"x".repeat(43)}` },
      "is a secret key (sk_…), which only verifies",
      "est une clé secrète (sk_…)",
    ],
    [{ authorization: "Bearer key_123" }, "those begin with at_", "commencent par at_"],
    [
      { authorization: `Bearer ${good.slice(0, -2)}` },
      "44 characters instead of 46",
      "44 caractères",
    ],
    [
      { authorization: `Bearer ${newAccessToken("production")}` },
      "is one of production, and this service is staging",
      "est un jeton de production, et ce service est staging",
    ],
    [
      { authorization: `Bearer ${newAccessToken("staging")}` },
      "is not known to this service (staging)",
      "n’est pas connu de ce service (staging)",
    ],
    [
      { authorization: `Bearer ${newAccessToken(undefined)}` },
      "is not known to this service (staging)",
      "n’est pas connu de ce service (staging)",
    ],
  ];
  for (const [headers, en, fr] of ways) {
    for (const [language, said] of [
      ["en", en],
      ["fr", fr],
    ] as const) {
      const answer = await service.call("GET", "/v1/balance", {
        headers: { ...headers, "accept-language": language },
      });
      expect([answer.status, answer.body.code], said).toEqual([401, "invalid_token"]);
      expect(answer.body.message).toContain(said);
      expect(answer.body.message).not.toContain(good.slice(3, 20));
    }
  }
});

test("a token says its environment in bits that its randomness leaves free", ({ company }) => {
  expect(company.accessToken).toMatch(/^at_[A-Za-z0-9_-]{43}$/);
  for (const environment of ["staging", "production", undefined] as const) {
    const tokens = Array.from({ length: 200 }, () => newAccessToken(environment));
    expect(new Set(tokens).size).toBe(200);
    for (const token of tokens) {
      expect(token).toMatch(/^at_[A-Za-z0-9_-]{43}$/);
      expect(environmentOf(token)).toBe(environment);
    }
  }
});
