import { createHmac } from "node:crypto";
import { webhooks } from "@cauri/sdk";
import { sign, verify } from "@cauri/sdk/webhooks";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { signedHeaders } from "../../src/webhooks/signature.ts";
import { failureOf } from "./client.ts";

const secret = "sk_df0FKJvV-x7Tt_0123456789abcdefghijklmnopq";
const older = "sk_an_older_key_0123456789abcdefghijklmnopq";
const payload = {
  topic: "transactions/completed",
  data: { id: "txn_1", status: "completed", description: "Loyer d’août à Korhogo / n° 7" },
};
const now = new Date("2026-11-16T10:00:00.000Z");
const options = { now };

/** As the service itself signs it. */
function fromService(secrets: readonly string[] = [secret], at = now) {
  const body = JSON.stringify({ data: payload.data, topic: payload.topic });
  const message = { id: "msg_1", topic: "transactions/completed" as const, payload: body };
  return { body, headers: signedHeaders("service", secrets, at, message) };
}

describe("verify", () => {
  test("takes what the service has signed, whatever holds body and headers", async () => {
    const { body, headers } = fromService();
    const bytes = Buffer.from(body);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );

    for (const raw of [body, bytes, new Uint8Array(bytes), new Uint8Array(bytes).buffer]) {
      for (const bag of [headers, new Headers(headers), upper]) {
        const event = await verify(raw, bag, secret, options);
        expect(event).toEqual({ ...payload, id: "msg_1", sentAt: now });
      }
    }
  });

  test("while keys are changed over, takes the old one's and the new one's, with either or both secrets", async () => {
    const both = fromService([secret, older]);
    const [onlyOld, onlyNew] = [fromService([older]), fromService([secret])];

    for (const known of [secret, older, [secret, older], [older, secret]])
      await verify(both.body, both.headers, known, options);
    for (const { body, headers } of [onlyOld, onlyNew])
      await verify(body, headers, [secret, older], options);
    expect(await failureOf(verify(onlyOld.body, onlyOld.headers, secret, options))).toMatchObject({
      reason: "no_match",
    });
  });

  test("refuses what was changed by a single bit, anywhere", async () => {
    const { body, headers } = fromService();
    for (let place = 0; place < body.length; place += 7) {
      const bytes = Buffer.from(body);
      bytes[place] = (bytes[place] ?? 0) ^ 1;
      await expect(verify(bytes, headers, secret, options)).rejects.toThrow("No signature");
    }
    for (const changes of [
      { "webhook-id": "msg_2" },
      { "webhook-timestamp": "1794823201" },
      { "webhook-signature": `v1,${"A".repeat(43)}=` },
      { "webhook-signature": "v1,not base64!" },
    ]) {
      const error = await failureOf(verify(body, { ...headers, ...changes }, secret, options));
      expect(error).toMatchObject({ kind: "webhook_verification", reason: "no_match" });
    }
  });

  test.for([
    [299, undefined],
    [-299, undefined],
    [301, "too_old"],
    [-301, "too_new"],
    [86_400, "too_old"],
  ] as const)("a request that was sent %i seconds ago: %s", async ([ageSeconds, reason]) => {
    const sentAt = new Date(now.getTime() - ageSeconds * 1_000);
    const { body, headers } = fromService([secret], sentAt);
    const outcome = await verify(body, headers, secret, options).catch((error) => error.reason);

    if (reason === undefined) expect(outcome).toMatchObject({ id: "msg_1", sentAt });
    else expect(outcome).toBe(reason);
    const wide = { now, toleranceMs: 100_000_000 };
    expect(await verify(body, headers, secret, wide)).toMatchObject({ id: "msg_1" });
  });

  test("without the signature that has a time it is refused, so that nobody can take the time away", async () => {
    const { body, headers } = fromService();
    const { "webhook-signature": _, ...others } = headers;
    expect(await failureOf(verify(body, others, secret, options))).toMatchObject({
      reason: "missing_header",
    });

    const signatureHeader = "x-service-hmac-sha256";
    expect(await verify(body, others, secret, { signatureHeader })).toMatchObject(payload);
    const changed = body.replace("txn_1", "txn_2");
    const refused = verify(changed, others, secret, { signatureHeader });
    expect(await failureOf(refused)).toMatchObject({ reason: "no_match" });
  });

  test("says what is missing: a header, a secret, the raw body, JSON", async () => {
    const { body, headers } = fromService();
    const reasonOf = async (...given: readonly unknown[]) =>
      failureOf(verify(...(given as Parameters<typeof verify>))).then(
        (error) => (error as { reason: string }).reason,
      );

    expect(await reasonOf(body, {}, secret)).toBe("missing_header");
    expect(await reasonOf(body, { ...headers, "webhook-timestamp": "now" }, secret)).toBe(
      "malformed_header",
    );
    expect(await reasonOf(body, { ...headers, "webhook-signature": "v2,AA" }, secret)).toBe(
      "malformed_header",
    );
    for (const nothing of ["", [], [secret, ""], undefined])
      expect(await reasonOf(body, headers, nothing)).toBe("missing_secret");
    expect(await reasonOf(JSON.parse(body), headers, secret, options)).toBe("parsed_body");
    const timestamp = String(Math.floor(now.getTime() / 1_000));
    const text = "no JSON";
    const hmac = createHmac("sha256", secret).update(`msg_1.${timestamp}.${text}`).digest("base64");
    const signed = { ...headers, "webhook-signature": `v1,${hmac}` };
    expect(await reasonOf(text, signed, secret, options)).toBe("not_json");
  });
});

describe("sign", () => {
  test("makes what the service would send, byte for byte, and what other libraries take", async () => {
    const made = await sign(payload, [secret, older], { id: "msg_1", sentAt: now });
    const { body, headers } = fromService([secret, older]);
    const { "user-agent": _, ...expected } = headers;
    expect(made).toEqual({ body, headers: expected });

    const fresh = await sign(payload, secret, { brand: "acme" });
    expect(Object.keys(fresh.headers)).toContain("x-acme-hmac-sha256");
    const other = new Webhook(secret, { format: "raw" });
    expect(other.verify(fresh.body, { ...fresh.headers })).toEqual(payload);
    expect(await verify(fresh.body, fresh.headers, secret)).toMatchObject(payload);
  });
});

describe("explainFailure", () => {
  const { body, headers } = fromService();
  const value = JSON.parse(body);
  const hex = Object.entries(headers).map(([name, text]) => [
    name,
    name === "webhook-signature"
      ? `v1,${Buffer.from(text.slice(3), "base64").toString("hex")}`
      : text,
  ]);
  const own = createHmac("sha256", secret).update(body).digest("hex");

  test.for<[string, unknown, Record<string, string>, string, object]>([
    ["nothing", body, headers, secret, options],
    ["reserialised_body", value, headers, secret, options],
    ["reserialised_body", { topic: value.topic, data: value.data }, headers, secret, options],
    ["reserialised_body", JSON.stringify({ ...payload }), headers, secret, options],
    ["reserialised_body", escaped(body), headers, secret, options],
    ["reserialised_body", body.replaceAll("/", "\\/"), headers, secret, options],
    ["changed_whitespace", `${body}\n`, headers, secret, options],
    ["changed_whitespace", `\ufeff${body}`, headers, secret, options],
    ["changed_whitespace", JSON.stringify(value, null, 2), headers, secret, options],
    ["changed_whitespace", body.replaceAll('":', '": '), headers, secret, options],
    ["changed_encoding", Buffer.from(body).toString("latin1"), headers, secret, options],
    ["changed_encoding", body.replace("û", "\ufffd"), headers, secret, options],
    ["hex_signature", body, Object.fromEntries(hex), secret, options],
    ["hex_signature", body, headers, secret, { ...options, computed: own }],
    ["altered_secret", body, headers, `${secret}\n`, options],
    ["altered_secret", body, headers, `"${secret}"`, options],
    ["altered_secret", body, headers, secret.slice(3), options],
    ["token_as_secret", body, headers, "at_JeQ4tTWz", options],
    ["changed_headers", body, { ...headers, "webhook-id": "other" }, secret, options],
    ["wrong_secret", body, headers, older, options],
    ["changed_body", body.slice(0, -1), headers, secret, options],
    ["missing_header", body, {}, secret, options],
    ["missing_secret", body, headers, "", options],
    ["too_old", body, headers, secret, { now: new Date(now.getTime() + 3_600_000) }],
    ["too_new", body, headers, secret, { now: new Date(now.getTime() - 3_600_000) }],
  ])("%s", async ([reason, raw, bag, given, asked]) => {
    const found = await webhooks.explainFailure(raw, bag, given, asked);

    expect(found.reason).toBe(reason);
    expect(found.message).toMatch(/[.?]$/);
    expect(found.message).not.toContain(secret);
  });

  test.for([
    ["a string of escaped quotation marks that does not end", `{"data":"${'\\"'.repeat(40_000)}`],
    ["quotation marks", '"'.repeat(500_000)],
    ["one long string", `"${"a".repeat(4_000_000)}`],
    ["spaces", `{${" ".repeat(500_000)}`],
    ["backslashes", "\\".repeat(500_000)],
    ["objects in objects", '{"data":'.repeat(60_000)],
  ] as const)("is as quick with a body that a stranger made of %s", async ([, raw]) => {
    const found = await webhooks.explainFailure(raw, headers, secret, options);

    expect(["changed_body", "wrong_secret"]).toContain(found.reason);
  });

  test("what it says is nothing wrong is what verify takes, and the other way round", async () => {
    for (const [raw, bag, given] of [
      [body, headers, secret],
      [`${body} `, headers, secret],
      [body, headers, older],
      [body, {}, secret],
    ] as const) {
      const isTaken = await verify(raw, bag, given, options).then(
        () => true,
        () => false,
      );
      const { reason } = await webhooks.explainFailure(raw, bag, given, options);
      expect(reason === "nothing").toBe(isTaken);
    }
  });
});

/** As other languages write it: nothing beyond ASCII. */
function escaped(text: string): string {
  return text.replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
