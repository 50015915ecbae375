import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { InvalidConfiguration } from "./kernel/errors.ts";

const production = {
  CAURI_ENV: "production",
  DATABASE_URL: "postgres://cauri:secret@db/cauri",
  MASTER_KEY: randomBytes(32).toString("base64"),
  PUBLIC_URL: "https://pay.example.com/",
  SMS_GATEWAY_URL: "https://10.0.0.7/messages",
  SMS_GATEWAY_TOKEN: "gateway-token",
  OPERATOR_NAME: "Teranga Pay",
  OPERATOR_TERMS_URL: "https://teranga.example/terms",
  OPERATOR_SUPPORT: "+221 33 800 00 00",
};

function problemsOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidConfiguration);
    return (error as Error).message;
  }
  throw new Error("the configuration was accepted");
}

test("an empty environment is a staging service a newcomer can try", () => {
  const config = readConfig({});

  expect(config).toMatchObject({
    environment: "staging",
    host: "127.0.0.1",
    port: 8080,
    publicUrl: "http://127.0.0.1:8080",
    dataDir: ".cauri",
    brand: "service",
    testMsisdns: { success: "2250700000000", failure: "2250700000001" },
    smsGateway: undefined,
    operator: { name: "Cauri (test)", termsUrl: undefined, support: undefined },
    country: { code: "SN", callingCode: "221", timeZone: "Africa/Dakar" },
    chargeLifetimeSeconds: 3_600,
  });
  expect([...config.roles]).toEqual(["api", "worker", "webhooks"]);
});

test("every wrong value is named in one message", () => {
  const message = problemsOf({
    PORT: "80a",
    CAURI_ENV: "prod",
    DATABASE_URL: "mysql://x",
    DATABASE_TIMEOUT_MS: "50",
    MASTER_KEY: "short",
    ROLES: "api,cook",
    LOG_LEVEL: "loud",
    BRAND: "My Brand",
    TEST_MSISDN_SUCCESS: "abc",
    PUBLIC_URL: "not a url",
    SMS_GATEWAY_URL: "sms.example.com",
    SMS_GATEWAY_TOKEN: "two words",
    OPERATOR_NAME: "Pay now: bit.ly/x",
    OPERATOR_TERMS_URL: "terms",
    OPERATOR_SUPPORT: "call us",
    DEFAULT_COUNTRY: "FR",
    CHARGE_LIFETIME_SECONDS: "86401",
  });

  for (const name of [
    "PORT",
    "CAURI_ENV",
    "DATABASE_URL",
    "DATABASE_TIMEOUT_MS",
    "MASTER_KEY",
    "ROLES",
    "LOG_LEVEL",
    "BRAND",
    "TEST_MSISDN_SUCCESS",
    "PUBLIC_URL",
    "SMS_GATEWAY_URL",
    "SMS_GATEWAY_TOKEN",
    "OPERATOR_NAME",
    "OPERATOR_TERMS_URL",
    "OPERATOR_SUPPORT",
    "DEFAULT_COUNTRY",
    "CHARGE_LIFETIME_SECONDS",
  ]) {
    expect(message).toContain(`- ${name} must be`);
  }
});

test("production names everything it does not start without, empty or not set", () => {
  const required = [
    "DATABASE_URL",
    "MASTER_KEY",
    "PUBLIC_URL",
    "SMS_GATEWAY_URL",
    "SMS_GATEWAY_TOKEN",
    "OPERATOR_NAME",
    "OPERATOR_TERMS_URL",
    "OPERATOR_SUPPORT",
  ];
  const empty = Object.fromEntries(required.map((name) => [name, " "]));

  for (const environment of [{}, empty]) {
    const message = problemsOf({ CAURI_ENV: "production", ...environment });
    for (const name of required) expect(message).toContain(`${name} is required in production.`);
  }
  for (const name of required)
    expect(problemsOf({ ...production, [name]: "" })).toContain(`${name} is required`);
});

test("production takes https only, for its own address, the SMS gateway and the terms", () => {
  const http = {
    PUBLIC_URL: "http://pay.example.com",
    SMS_GATEWAY_URL: "http://10.0.0.7/messages",
    OPERATOR_TERMS_URL: "http://teranga.example/terms",
  };

  for (const [name, value] of Object.entries(http))
    expect(problemsOf({ ...production, [name]: value })).toContain(
      `- ${name} must be a URL beginning with https://.`,
    );
});

test("an SMS gateway needs both its address and its token, in staging too", () => {
  const gateway = { SMS_GATEWAY_URL: "http://127.0.0.1:9000/sms", SMS_GATEWAY_TOKEN: "t0k3n" };

  expect(readConfig(gateway).smsGateway).toEqual({ url: gateway.SMS_GATEWAY_URL, token: "t0k3n" });
  expect(readConfig(production).smsGateway).toEqual({
    url: production.SMS_GATEWAY_URL,
    token: production.SMS_GATEWAY_TOKEN,
  });
  for (const name of ["SMS_GATEWAY_URL", "SMS_GATEWAY_TOKEN"])
    expect(problemsOf({ ...gateway, [name]: "" })).toContain("must be set together");
});

test.for(["1413", "+221 33 800 00 00", "2250700000000", "aide@teranga.example"])(
  "%s can be asked for help",
  (support) => {
    expect(readConfig({ OPERATOR_SUPPORT: support }).operator.support).toBe(support);
  },
);

test.for(["call us", "aide@", "javascript:alert(1)", "+", "a@b.c x"])("%s cannot", (support) => {
  expect(problemsOf({ OPERATOR_SUPPORT: support })).toContain("OPERATOR_SUPPORT must be");
});

test("production has no test numbers", () => {
  expect(readConfig(production).testMsisdns).toBeUndefined();
  expect(readConfig(production).publicUrl).toBe("https://pay.example.com");
});

test("a problem never repeats a secret", () => {
  expect(
    problemsOf({
      MASTER_KEY: "hunter2",
      DATABASE_URL: "mysql://me:hunter2@db",
      SMS_GATEWAY_TOKEN: "hunter2 hunter2",
    }),
  ).not.toContain("hunter2");
});
