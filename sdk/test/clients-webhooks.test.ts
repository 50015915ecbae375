import { CauriError, webhooks } from "@cauri/sdk";
import { describe, expect, test } from "vitest";
import { languageNames, whyMissing } from "../../test/languages.ts";
import { Driver } from "./driver.ts";

const secret = "sk_of_the_test";
const payload = {
  topic: "transactions/failed",
  data: {
    reference: "Salaire d'août/é\u2028",
    failureReason: "X",
    amount: 5_000,
    none: {},
    list: [],
  },
};
const sentAt = new Date(1_790_000_000_000);
const now = sentAt.getTime() / 1_000 + 10;

type Headers = Readonly<Record<string, string>>;

/** What usually goes wrong, and what does not. */
async function cases(): Promise<
  [name: string, body: unknown, headers: Headers, secret: string | string[], options?: object][]
> {
  const { body, headers } = await webhooks.sign(payload, secret, { id: "evt_1", sentAt });
  const parsed = JSON.parse(body);
  const hex = Buffer.from(headers["webhook-signature"]?.slice(3) ?? "", "base64").toString("hex");
  const { "webhook-signature": _, ...unsigned } = headers;
  const { "webhook-id": __, ...nameless } = headers;
  const own = "x-service-hmac-sha256";
  return [
    ["nothing", body, headers, secret],
    ["names of $_SERVER and WSGI", body, toServer(headers), secret],
    ["two secrets", body, headers, ["sk_new", secret]],
    ["own header", body, headers, secret, { signatureHeader: own }],
    ["line break", `${body}\n`, headers, secret],
    ["indented", JSON.stringify(parsed, null, 2), headers, secret],
    ["other order", JSON.stringify({ topic: parsed.topic, data: parsed.data }), headers, secret],
    ["Latin-1", Buffer.from(body, "utf8").toString("latin1"), headers, secret],
    ["escaped", body.replaceAll("é", "\\u00e9"), headers, secret],
    ["another secret", body, headers, "sk_another"],
    ["blank after the secret", body, headers, `${secret} `],
    ["quoted secret", body, headers, `"${secret}"`],
    ["without sk_", body, headers, secret.slice(3)],
    ["token", body, headers, "at_1"],
    ["no secret", body, headers, ""],
    ["no secrets", body, headers, []],
    ["no signature", body, unsigned, secret],
    ["no id", body, nameless, secret],
    ["another id", body, { ...headers, "webhook-id": "evt_2" }, secret],
    ["no time", body, { ...headers, "webhook-timestamp": "soon" }, secret],
    ["no version", body, { ...headers, "webhook-signature": "v2,abc" }, secret],
    ["hexadecimal", body, { ...headers, "webhook-signature": `v1,${hex}` }, secret],
    ["computed in hexadecimal", body, headers, secret, { computed: hex }],
    ["no Base64", body, { ...headers, "webhook-signature": "v1,!!!" }, secret],
    ["changed", body.replace("5000", "9000"), headers, secret],
    ["nothing there", "", headers, secret],
    ["too old", body, headers, secret, { now: now + 600 }],
    ["too new", body, headers, secret, { now: now - 600 }],
    ["old, and tolerated", body, headers, secret, { now: now + 600, tolerance: 900 }],
  ];
}

function toServer(headers: Headers): Headers {
  const entries = Object.entries(headers).map(([name, value]) => [
    `HTTP_${name.toUpperCase().replaceAll("-", "_")}`,
    value,
  ]);
  return Object.fromEntries(entries);
}

describe.for(languageNames)("webhooks in %s", (language) => {
  test("verify takes what the SDK for TypeScript takes, and explainFailure says the same of what it does not", async ({
    skip,
  }) => {
    const missing = whyMissing(language);
    if (missing !== undefined) skip(missing);
    const driver = Driver.start(language);
    for (const [name, body, headers, key, options = {}] of await cases()) {
      const told = { now, ...options };
      const found = await driver.outcome(
        "verify",
        [body, headers, key],
        "computed" in told ? { now } : told,
      );
      const explained = await driver.call("explainFailure", [body, headers, key], {
        now,
        ...options,
      });
      // Only PHP and Python have names like these.
      const known = name.startsWith("names of") ? fromServer(headers) : headers;
      const expected = await expectedOf(body, known, key, { now, ...options });

      expect(found.error?.reason ?? null, name).toBe(expected.reason);
      expect(explained, name).toEqual(expected.explanation);
      if (expected.reason === null)
        expect(found.value, name).toMatchObject({
          topic: payload.topic,
          data: { reference: payload.data.reference, amount: 5_000 },
          id: "evt_1",
          sentAt: now - 10,
        });
    }
    expect(driver.said).not.toContain(secret);
  });

  test("what it signs, the SDK for TypeScript believes", async ({ skip }) => {
    const missing = whyMissing(language);
    if (missing !== undefined) skip(missing);
    const driver = Driver.start(language);
    const [body, headers] = await driver.call("sign", [payload, ["sk_new", secret]], {
      id: "evt_7",
    });

    const event = await webhooks.verify(body, headers, secret);
    expect(event).toMatchObject({ id: "evt_7", topic: payload.topic });
    await webhooks.verify(body, headers, "sk_new", { signatureHeader: "x-service-hmac-sha256" });
    expect(headers).not.toHaveProperty("x-service-webhook-test");
    const tried = { topic: "webhooks/test", data: { webhookId: "1" } };
    const [, sent] = await driver.call("sign", [tried, secret]);
    expect(sent["x-service-webhook-test"]).toBe("true");
    const inTypeScript = await webhooks.sign(tried, secret);
    expect(Object.keys(sent).toSorted()).toEqual(Object.keys(inTypeScript.headers).toSorted());
  });

  test("what was parsed already is refused, and what is signed and no notification", async ({
    skip,
  }) => {
    const missing = whyMissing(language);
    if (missing !== undefined) skip(missing);
    const driver = Driver.start(language);
    const { body, headers } = await webhooks.sign({ topic: "a/b", data: { c: 1 } }, secret);
    const parsed = JSON.parse(body);
    expect((await driver.failure("verify", [parsed, headers, secret])).reason).toBe("parsed_body");
    const explained = await driver.call("explainFailure", [parsed, headers, secret]);
    expect(explained.reason).toBe("reserialised_body");
  });
});

function fromServer(headers: Headers): Headers {
  const entries = Object.entries(headers).map(([name, value]) => [
    name.slice(5).toLowerCase().replaceAll("_", "-"),
    value,
  ]);
  return Object.fromEntries(entries);
}

async function expectedOf(
  body: unknown,
  headers: Headers,
  key: string | string[],
  { now: at, tolerance, ...options }: { readonly now: number; readonly tolerance?: number },
) {
  const known = {
    ...options,
    now: new Date(at * 1_000),
    ...(tolerance === undefined ? {} : { toleranceMs: tolerance * 1_000 }),
  };
  const explanation = await webhooks.explainFailure(body, headers, key, known);
  try {
    await webhooks.verify(body as string, headers, key, known);
    return { reason: null, explanation };
  } catch (error) {
    if (!(error instanceof CauriError)) throw error;
    return { reason: (error as { reason?: string }).reason ?? null, explanation };
  }
}
