import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { InvalidConfiguration, readConfig } from "./config.ts";

const production = {
  CAURI_ENV: "production",
  DATABASE_URL: "postgres://cauri:secret@db/cauri",
  MASTER_KEY: randomBytes(32).toString("base64"),
  PUBLIC_URL: "https://pay.example.com/",
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
  });
  expect([...config.roles]).toEqual(["api", "worker", "webhooks"]);
});

test("every wrong value is named in one message", () => {
  const message = problemsOf({
    PORT: "80a",
    CAURI_ENV: "prod",
    DATABASE_URL: "mysql://x",
    MASTER_KEY: "short",
    ROLES: "api,cook",
    LOG_LEVEL: "loud",
    BRAND: "My Brand",
    TEST_MSISDN_SUCCESS: "abc",
    PUBLIC_URL: "not a url",
  });

  for (const name of [
    "PORT",
    "CAURI_ENV",
    "DATABASE_URL",
    "MASTER_KEY",
    "ROLES",
    "LOG_LEVEL",
    "BRAND",
    "TEST_MSISDN_SUCCESS",
    "PUBLIC_URL",
  ]) {
    expect(message).toContain(`- ${name} must be`);
  }
});

test("production does not start without a database, a master key and a public https address", () => {
  const message = problemsOf({ CAURI_ENV: "production" });

  expect(message).toContain("DATABASE_URL is required in production.");
  expect(message).toContain("MASTER_KEY is required in production.");
  expect(message).toContain("PUBLIC_URL is required in production.");
  expect(problemsOf({ ...production, PUBLIC_URL: "http://pay.example.com" })).toContain("https://");
});

test("production has no test numbers", () => {
  expect(readConfig(production).testMsisdns).toBeUndefined();
  expect(readConfig(production).publicUrl).toBe("https://pay.example.com");
});

test("a problem never repeats a secret", () => {
  expect(
    problemsOf({ MASTER_KEY: "hunter2", DATABASE_URL: "mysql://me:hunter2@db" }),
  ).not.toContain("hunter2");
});
