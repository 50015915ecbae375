import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { type Answer, type TestCompany, type TestService, test } from "../../test/fixtures.ts";

const good = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: "r" };
const charge = {
  amount: 100,
  externalId: "e",
  description: "Order",
  onCanceledRedirectionUrl: "https://shop.example/cart",
  onCompletedRedirectionUrl: "https://shop.example/thanks",
};
const secret = "S3CRET-value";

type Request = readonly [method: string, path: string, body?: unknown];

/** A wrong request, and what is said of it in English and in French. */
const sentences: readonly (readonly [Request, en: string, fr: string])[] = [
  [
    ["POST", "/v1/transactions", { ...good, amount: "5000" }],
    "amount is text; it must be a whole number.",
    "amount est du texte. Valeur attendue\u00a0: un nombre entier.",
  ],
  [
    ["POST", "/v1/transactions", { ...good, amount: 5_000.5 }],
    "amount is not whole; it must be a whole number.",
    "amount n’est pas entier. Valeur attendue\u00a0: un nombre entier.",
  ],
  [
    ["POST", "/v1/transactions", { ...good, amount: 1 }],
    "amount is too small; it must be a whole number from 5000 to 500000.",
    "amount est trop petit. Valeur attendue\u00a0: un nombre entier de 5000 à 500000.",
  ],
  [
    ["POST", "/v1/transactions", { ...good, type: "gift" }],
    'type is not an allowed value; it must be "transfer".',
    'type n’est pas une valeur admise. Valeur attendue\u00a0: "transfer".',
  ],
  [
    ["POST", "/v1/transactions", { ...good, reference: "" }],
    "reference is empty; it must be text of 1 to 255 characters.",
    "reference est vide. Valeur attendue\u00a0: du texte de 1 à 255 caractères.",
  ],
  [
    ["POST", "/v1/transactions", { ...good, reference: "x".repeat(256) }],
    "reference is too long; it must be text of 1 to 255 characters.",
    "reference est trop long. Valeur attendue\u00a0: du texte de 1 à 255 caractères.",
  ],
  [
    ["POST", "/v1/transactions", { ...good, msisdn: "call me" }],
    "msisdn does not have the right form; it must be a phone number of 8 to 15 digits with its country code, with or without a leading +.",
    "msisdn n’a pas la bonne forme. Valeur attendue\u00a0: un numéro de téléphone de 8 à 15 chiffres avec l’indicatif du pays, avec ou sans + devant.",
  ],
  [
    ["POST", "/v1/transactions", { ...good, msisdn: "0700000000" }],
    "msisdn begins with 0, so it has no country code. Write it with its country code, such as +221771234567.",
    "msisdn commence par 0, il n’a donc pas d’indicatif. Écrivez-le avec son indicatif, par exemple +221771234567.",
  ],
  [
    ["GET", "/v1/transactions/customers/check?msisdn=22997123456"],
    "msisdn has eight digits after 229, and numbers of Benin have ten. Write 01 before the eight, such as +229 01 97 12 34 56.",
    "msisdn a huit chiffres après 229, et les numéros du Bénin en ont dix. Écrivez 01 devant les huit, par exemple +229 01 97 12 34 56.",
  ],
  [
    ["GET", "/v1/transactions/customers/check?msisdn=002250700000000"],
    "msisdn begins with 00. Write + or nothing before the country code, such as +221771234567.",
    "msisdn commence par 00. Écrivez + ou rien devant l’indicatif, par exemple +221771234567.",
  ],
  [
    ["POST", "/v1/transactions", { ...good, reference: "r\t" }],
    "reference begins or ends with a blank; it must be text of 1 to 255 characters, without blanks at the ends and without control characters.",
    "reference commence ou finit par un blanc. Valeur attendue\u00a0: du texte de 1 à 255 caractères, sans blanc au début ni à la fin et sans caractère de contrôle.",
  ],
  [
    ["POST", "/v1/charges", { ...charge, externalId: "a\nb" }],
    "externalId holds a control character, such as a tab or the end of a line; it must be text of 1 to 255 characters, without blanks at the ends and without control characters.",
    "externalId contient un caractère de contrôle, par exemple une tabulation ou une fin de ligne. Valeur attendue\u00a0: du texte de 1 à 255 caractères, sans blanc au début ni à la fin et sans caractère de contrôle.",
  ],
  [
    ["POST", "/v1/charges", { ...charge, currency: "EUR" }],
    'currency is not an allowed value; it must be "XOF".',
    'currency n’est pas une valeur admise. Valeur attendue\u00a0: "XOF".',
  ],
  [
    ["POST", "/v1/transactions", { ...good, metadata: [] }],
    "metadata is a list; it must be an object, or null.",
    "metadata est une liste. Valeur attendue\u00a0: un objet, ou null.",
  ],
  [
    ["POST", "/v1/transactions", "[]"],
    "The body is a list; it must be an object.",
    "Le corps est une liste. Valeur attendue\u00a0: un objet.",
  ],
  [
    ["POST", "/v1/transactions"],
    "The body is missing or null; it must be an object.",
    "Le corps manque ou est null. Valeur attendue\u00a0: un objet.",
  ],
  [
    ["POST", "/v1/transactions/batch", { transactions: [] }],
    "transactions is empty; it must be a list of 1 to 10000 entries.",
    "transactions est vide. Valeur attendue\u00a0: une liste de 1 à 10000 éléments.",
  ],
  [
    ["POST", "/v1/transactions/batch", { transactions: [good, { ...good, amount: null }] }],
    "1 of 2 transactions are not valid; nothing was sent. See details.",
    "Transactions non valables\u00a0: 1 sur 2. Rien n’a été envoyé, voyez details.",
  ],
  [
    ["GET", "/v1/transactions?status=done"],
    "status is not an allowed value; it must be one of pending, completed, failed.",
    "status n’est pas une valeur admise. Valeur attendue\u00a0: l’une de celles-ci, pending, completed, failed.",
  ],
  [
    ["GET", "/v1/transactions?limit=0"],
    "limit is too small; it must be a whole number from 1 to 100.",
    "limit est trop petit. Valeur attendue\u00a0: un nombre entier de 1 à 100.",
  ],
  [
    ["GET", "/v1/transactions?limit=many"],
    "limit is text; it must be a whole number from 1 to 100.",
    "limit est du texte. Valeur attendue\u00a0: un nombre entier de 1 à 100.",
  ],
  [
    ["GET", "/v1/transactions?limit=1&limit=2"],
    "limit stands more than once; it must be a whole number from 1 to 100.",
    "limit figure plusieurs fois. Valeur attendue\u00a0: un nombre entier de 1 à 100.",
  ],
  [
    ["GET", "/v1/transactions/customers/check"],
    "msisdn is missing; it must be a phone number of 8 to 15 digits with its country code, with or without a leading +.",
    "msisdn manque. Valeur attendue\u00a0: un numéro de téléphone de 8 à 15 chiffres avec l’indicatif du pays, avec ou sans + devant.",
  ],
  [
    ["POST", "/v1/charges", { ...charge, onCanceledRedirectionUrl: "shop" }],
    "onCanceledRedirectionUrl is not a URL; it must be an http or https URL.",
    "onCanceledRedirectionUrl n’est pas une URL. Valeur attendue\u00a0: une URL http ou https.",
  ],
  [
    ["POST", "/v1/charges", { ...charge, description: "\u0000" }],
    "description holds a character that cannot be kept (NUL or half a surrogate pair); it must be text of 1 to 1000 characters.",
    "description contient un caractère qui ne peut pas être conservé (NUL ou moitié d’une paire de substitution). Valeur attendue\u00a0: du texte de 1 à 1000 caractères.",
  ],
  [
    ["POST", "/v1/webhooks", { topic: "everything", url: "https://shop.example/" }],
    "topic is not an allowed value; it must be one of transactions/started, transactions/completed, transactions/failed, batches/completed, charge/events, statements/sealed.",
    "topic n’est pas une valeur admise. Valeur attendue\u00a0: l’une de celles-ci, transactions/started, transactions/completed, transactions/failed, batches/completed, charge/events, statements/sealed.",
  ],
  [
    ["POST", "/v1/webhooks", { topic: "charge/events", url: "http://192.168.1.1/" }],
    "url must lead to a public address, or to this machine itself (loopback, such as 127.0.0.1), which staging allows.",
    "url doit mener à une adresse publique, ou à cette machine elle-même (boucle locale, par exemple 127.0.0.1), admise en staging.",
  ],
  [
    ["PUT", "/v1/sub-companies/ID", { isActive: "yes" }],
    "isActive is text; it must be true or false.",
    "isActive est du texte. Valeur attendue\u00a0: true ou false.",
  ],
  [
    ["POST", "/v1/transactions", '{"metadata":{"__proto__":1}}'],
    "The body has a field named __proto__, which is not allowed anywhere in it. Rename it.",
    "Le corps contient un champ nommé __proto__, qui n’y est admis nulle part. Renommez-le.",
  ],
];

test("400: which field, what is wrong with it and what is allowed, in English and in French", async ({
  service,
  company,
}) => {
  const token = company.accessToken;
  const logo = { name: "Shop", logoUrl: "https://shop.example/logo.png" };
  const sub = await service.call("POST", "/v1/sub-companies", { token, body: logo });
  for (const [[method, path, body], en, fr] of sentences) {
    const address = path.replace("ID", sub.body.id);
    for (const [language, said] of Object.entries({ en, "fr-SN,fr;q=0.9,en;q=0.8": fr })) {
      const headers = { "accept-language": language };
      const answer = await service.call(method, address, { token, body, headers });
      expect([answer.status, answer.body.message]).toEqual([400, said]);
    }
  }
});

test("the language is English unless French is preferred; code, error and fields never change", async ({
  service,
  company,
}) => {
  const token = company.accessToken;
  const languageOf = async (header?: string) => {
    const headers: Record<string, string> =
      header === undefined ? {} : { "accept-language": header };
    const { body } = await service.call("POST", "/v1/transactions", { token, body: {}, headers });
    const codes = body.details.map(({ field, code }: Detail) => `${field} ${code}`);
    expect([body.error, body.code, codes.toSorted()]).toEqual([
      "Bad Request",
      "invalid_request",
      ["amount required", "msisdn required", "reference required", "type required"],
    ]);
    return body.message.includes("amount is missing") ? "en" : "fr";
  };
  for (const header of [undefined, "", "*", "en", "de", "en,fr", "fr;q=0.5,en", "fr;q=0", ";;;"])
    expect(await languageOf(header), header).toBe("en");
  for (const header of ["fr", "FR-ci", "de,fr;q=0.3", "en;q=0.4,fr;q=0.5", "fr,en"])
    expect(await languageOf(header), header).toBe("fr");
});

test("French from the first check to the last: no token, no route, another method, a conflict, too little money", async ({
  service,
  company,
}) => {
  const token = company.accessToken;
  const french = { "accept-language": "fr" };
  const ask = (method: string, path: string, options: object = {}) =>
    service.call(method, path, { token, headers: french, ...options });
  await ask("POST", "/v1/transactions", { body: good });
  const answers: readonly (readonly [Answer, RegExp])[] = [
    [await service.call("GET", "/v1/balance", { headers: french }), /^Le jeton d’accès manque/],
    [await ask("GET", "/v1/nothing"), /^Il n’y a rien à cette adresse/],
    [await ask("DELETE", "/v1/balance"), /^Cette adresse ne répond qu’à GET/],
    [await ask("GET", "/v1/charges/x"), /^Aucune demande de paiement/],
    [
      await ask("POST", "/v1/transactions", { body: good }),
      /«\u00a0r\u00a0»\u00a0; details a son identifiant\./,
    ],
    [await ask("POST", "/v1/transactions", { body: "{" }), /^Le corps n’est pas du JSON/],
    [await ask("GET", "/v1/charges?createdFrom=hier"), /^createdFrom n’est pas un instant/],
    [await ask("GET", "/v1/charges?cursor=x"), /^cursor n’a pas été donné par cette liste/],
  ];
  for (const [{ body }, said] of answers) {
    expect(body.message).toMatch(said);
    for (const { message } of (body.details ?? []) as Detail[]) expect(message).toMatch(said);
  }
});

test("no answer repeats a value or the validator's own words", async ({ service, company }) => {
  for (const body of await refusedBodies(service, company)) {
    expect(JSON.stringify(body)).not.toContain(secret);
    for (const { field, message } of body.details as Detail[]) {
      expect(message).toContain(field);
      expect(message).not.toMatch(/must (?:NOT|match|be (?:integer|string|object|equal|>=|<=))/);
    }
  }
});

test("400: a header that is too long is named as people write it", async ({ service, company }) => {
  const { status, body } = await service.call("POST", "/v1/transactions", {
    token: company.accessToken,
    body: good,
    headers: { "idempotency-key": "k".repeat(256) },
  });
  expect([status, body.details[0].field]).toEqual([400, "Idempotency-Key"]);
  expect(body.message).toMatch(/^Idempotency-Key is too long; it must be text of 1 to 255 /);
});

test("415: a body in another encoding is told so, not that it is no JSON", async ({
  service,
  company,
}) => {
  const response = await fetch(`${service.url}/v1/transactions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${company.accessToken}`,
      "content-type": "application/json",
      "content-encoding": "gzip",
    },
    body: gzipSync(JSON.stringify(good)),
  });
  const { code, message } = (await response.json()) as { code: string; message: string };
  expect([response.status, code]).toEqual([415, "unsupported_media_type"]);
  expect(message).toContain("Content-Encoding");
});

interface Detail {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** Answers to requests in which one field at a time is wrong, each with a value that must not come back. */
async function refusedBodies(service: TestService, company: TestCompany) {
  const token = company.accessToken;
  const posts: readonly (readonly [path: string, body: object])[] = [
    ["/v1/transactions", good],
    ["/v1/charges", charge],
    ["/v1/sub-companies", { name: "Shop", logoUrl: "https://shop.example/l.png" }],
    ["/v1/webhooks", { topic: "charge/events", url: "https://shop.example/" }],
  ];
  const bodies: { details: unknown }[] = [];
  for (const [path, body] of posts) {
    for (const field of Object.keys(body)) {
      for (const wrong of [[secret], { [secret]: secret }, `${secret}\u0000`]) {
        const sent = { ...body, [field]: wrong };
        const answer = await service.call("POST", path, { token, body: sent });
        expect(answer.status, `${field} of ${path}`).toBe(400);
        bodies.push(answer.body);
      }
    }
  }
  return bodies;
}
