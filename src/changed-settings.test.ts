import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { changedSettings, hidden } from "./changed-settings.ts";
import { settingNames } from "./config.ts";
import { secretNames } from "./secret-settings.ts";

const key = Buffer.alloc(32, 7).toString("base64");
const production = {
  CAURI_ENV: "production",
  DATABASE_URL: "postgres://cauri:pass-word@db/cauri?sslmode=verify-full",
  MASTER_KEY: key,
  PUBLIC_URL: "https://pay.example.com",
  SMS_GATEWAY_URL: "https://user:pass-word@sms.example.com/messages?token=pass-word",
  SMS_GATEWAY_TOKEN: "pass-word",
  OPERATOR_NAME: "Teranga Pay",
  OPERATOR_TERMS_URL: "https://pay.example.com/terms",
  OPERATOR_SUPPORT: "1413",
  METRICS_TOKEN: "pass-word-of-prometheus",
  OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
  OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20pass-word",
};

test("settings that are as they would be by default, empty ones and those of others are not told", () => {
  expect(changedSettings({})).toEqual({});
  expect(
    changedSettings({
      PORT: "8080",
      ROLES: "webhooks,worker,api",
      LOG_LEVEL: " ",
      TRUST_PROXY: "false",
      HOME: "/root",
      OTEL_SERVICE_NAME: "payouts",
    }),
  ).toEqual({});
});

test("what differs is told as it was given, and of a secret no more than that there is one", () => {
  const told = changedSettings({ ...production, PORT: "9000", DATABASE_POOL_SIZE: "10" });

  expect(told).toEqual({
    CAURI_ENV: "production",
    PUBLIC_URL: "https://pay.example.com",
    PORT: "9000",
    OPERATOR_NAME: "Teranga Pay",
    OPERATOR_TERMS_URL: "https://pay.example.com/terms",
    OPERATOR_SUPPORT: "1413",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
    ...Object.fromEntries(secretNames.map((name) => [name, hidden])),
  });
  expect(JSON.stringify(told)).not.toMatch(new RegExp(`pass-word|${key.slice(0, 8)}`));
});

test("what a file of settings says counts, and that there is one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cauri-settings-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "settings");
  writeFileSync(file, "RATE_LIMIT_PER_SECOND=7\nMETRICS_TOKEN=pass-word-of-prometheus\n");

  expect(changedSettings({ SETTINGS_FILE: file, RATE_LIMIT_PER_SECOND: "5" })).toEqual({
    SETTINGS_FILE: file,
    RATE_LIMIT_PER_SECOND: "7",
    METRICS_TOKEN: hidden,
  });
});

test("a setting that sounds like a secret is one, or is known to be none", () => {
  const harmless = [
    "PUBLIC_URL",
    "OPERATOR_TERMS_URL",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "KEYS_MAX",
    "AUTH_FAILURES_PER_MINUTE",
  ];
  const values = settingNames().filter((name) => !name.endsWith("_FILE"));
  const suspicious = values.filter((name) =>
    /URL|KEY|TOKEN|SECRET|PASSWORD|HEADERS|ENDPOINT|AUTH/.test(name),
  );

  expect(suspicious.filter((name) => !harmless.includes(name)).toSorted()).toEqual(
    [...secretNames].toSorted(),
  );
});
