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
    companyShare: 0.5,
    bodyBytesMax: 32 * 1_024 * 1_024,
  });
  expect([...config.roles]).toEqual(["api", "worker", "webhooks"]);
});

test("every wrong value is named in one message", () => {
  const message = problemsOf({
    PORT: "80a",
    CAURI_ENV: "prod",
    DATABASE_URL: "mysql://x",
    DATABASE_TIMEOUT_MS: "50",
    DATABASE_WAIT_SECONDS: "soon",
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
    COMPANY_SHARE_PERCENT: "0",
    BODY_MEGABYTES_IN_FLIGHT_MAX: "x",
    MESSAGES_PER_PHONE: "10",
    MESSAGES_IN_ALL: "0/5",
    MESSAGE_COUNTRIES: "+225",
    CUSTOMER_CHECKS_PER_MINUTE: "0",
    UNKNOWN_RECIPIENTS_PER_DAY: "none",
    KEYS_MAX: "1",
    PAYMENTS_MAY_BE_LOST_WITHOUT: "yes",
  });

  for (const name of [
    "PAYMENTS_MAY_BE_LOST_WITHOUT",
    "PORT",
    "CAURI_ENV",
    "DATABASE_URL",
    "DATABASE_TIMEOUT_MS",
    "DATABASE_WAIT_SECONDS",
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
    "COMPANY_SHARE_PERCENT",
    "BODY_MEGABYTES_IN_FLIGHT_MAX",
    "MESSAGES_PER_PHONE",
    "MESSAGES_IN_ALL",
    "MESSAGE_COUNTRIES",
    "CUSTOMER_CHECKS_PER_MINUTE",
    "UNKNOWN_RECIPIENTS_PER_DAY",
    "KEYS_MAX",
  ]) {
    expect(message).toContain(`- ${name} must be`);
  }
});

test("budgets of messages are two numbers, and countries are calling codes", () => {
  const config = readConfig({ MESSAGES_PER_PHONE: "3/7", MESSAGE_COUNTRIES: "33, 225" });

  expect(config.messageBudgets.phone).toEqual({ hour: 3, day: 7 });
  expect(config.messageBudgets.all).toEqual({ hour: 5_000, day: 50_000 });
  expect(config.messageCountries).toEqual(["33", "225"]);
  expect(readConfig({}).messageCountries).toHaveLength(8);
});

test("quotas have defaults that an honest business does not meet", () => {
  expect(readConfig({}).quotas).toEqual({
    subCompaniesMax: 10_000,
    webhooksMax: 20,
    keysMax: 10,
    refundsPerChargeMax: 100,
    logosPerDay: 10_000,
    unknownRecipientsPerDay: 10_000,
    customerChecksPerMinute: 3_000,
  });
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

test("several master keys, newest first, with commas or spaces between them; one bad one spoils them", () => {
  const [next, old] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  for (const between of [",", ", ", "\n"]) {
    const MASTER_KEY = `${next.toString("base64")}${between}${old.toString("hex")}`;
    expect(readConfig({ MASTER_KEY }).masterKeys).toEqual([next, old]);
    expect(problemsOf({ MASTER_KEY: `${MASTER_KEY},short` })).toContain("MASTER_KEY must be");
  }
});

test("production trusts no certificate blindly", () => {
  const blind = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  expect(problemsOf({ ...production, ...blind })).toContain("NODE_TLS_REJECT_UNAUTHORIZED=0");
  expect(readConfig({ ...production, NODE_TLS_REJECT_UNAUTHORIZED: "1" }).environment).toBe(
    "production",
  );
  expect(readConfig(blind).environment).toBe("staging");
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

test("TRUST_PROXY is a number of proxies; true, which would believe the caller, is refused with what to write", () => {
  for (const [text, hops] of [
    ["", 0],
    ["false", 0],
    ["0", 0],
    ["1", 1],
    ["10", 10],
  ] as const)
    expect(readConfig({ TRUST_PROXY: text }).trustProxy).toBe(hops);
  for (const wrong of ["true", "-1", "11", "1.5", "10.0.0.0/8"])
    expect(problemsOf({ TRUST_PROXY: wrong })).toContain(
      "TRUST_PROXY must be the number of proxies in front of this node, 10 at most, or false for none",
    );
});

test("traces are off unless a collector is named, and follow OpenTelemetry's own settings", () => {
  expect(readConfig({ OTEL_TRACES_SAMPLER_ARG: "0.5" }).tracing).toBeUndefined();
  const endpoint = "http://127.0.0.1:4318";
  expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).tracing).toEqual({
    endpoint,
    headers: {},
    serviceName: "cauri",
    ratio: 1,
  });
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Bearer%20a%3Db, x-team = pay",
    OTEL_SERVICE_NAME: "cauri-api",
    OTEL_TRACES_SAMPLER_ARG: "0.05",
  };
  expect(readConfig(settings).tracing).toEqual({
    endpoint,
    headers: { authorization: "Bearer a=b", "x-team": "pay" },
    serviceName: "cauri-api",
    ratio: 0.05,
  });
});

test("wrong settings of traces are named, and their secrets are not", () => {
  for (const ratio of ["2", "-0.1", "1.5", "half", "0.1.1"])
    expect(problemsOf({ OTEL_TRACES_SAMPLER_ARG: ratio })).toContain("a number from 0 to 1");
  for (const headers of ["hunter2", "a b=hunter2", "x=%zz", "x=hunter2%0d%0aevil: 1"]) {
    const problems = problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: headers });
    expect(problems).toContain("OTEL_EXPORTER_OTLP_HEADERS must be names and values");
    expect(problems).not.toContain("hunter2");
  }
  const inUrl = problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://me:hunter2@collector" });
  expect(inUrl).toContain("OTEL_EXPORTER_OTLP_ENDPOINT must have no user");
  expect(inUrl).not.toContain("hunter2");
  expect(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "grpc://collector" })).toContain("http://");
});

test("PROCESS_PORTS is the first of as many ports as there are processes, and PORT is none of them", () => {
  expect(readConfig({}).processPorts).toBeUndefined();
  expect(readConfig({ PROCESSES: "4", PROCESS_PORTS: "8081" }).processPorts).toBe(8_081);
  expect(readConfig({ PROCESSES: "4", PROCESS_PORTS: "65532" }).processPorts).toBe(65_532);
  for (const PROCESS_PORTS of ["0", "65533", "8081-8084", "port", "-1", "08081"])
    expect(problemsOf({ PROCESSES: "4", PROCESS_PORTS })).toContain(
      "PROCESS_PORTS must be the first of 4 ports, from 1 to 65532.",
    );
  expect(problemsOf({ PROCESSES: "4", PROCESS_PORTS: "8078", PORT: "8080" })).toContain(
    "PROCESS_PORTS must leave PORT 8080 to all processes together.",
  );
});

test("PROCESSES is a number or auto, and there are connections for each", () => {
  expect(readConfig({}).processes).toBe(1);
  expect(readConfig({ PROCESSES: "auto" }).processes).toBe("auto");
  expect(readConfig({ PROCESSES: "5" }).processes).toBe(5);
  for (const PROCESSES of ["0", "65", "two", "1.5", "-1"])
    expect(problemsOf({ PROCESSES })).toContain("PROCESSES must be auto, or a whole number from 1");
  expect(problemsOf({ PROCESSES: "6" })).toContain("DATABASE_POOL_SIZE must be at least 12");
});
