import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { productionSettings } from "../test/fixtures.ts";
import { changedSettings, hidden } from "./changed-settings.ts";
import { checkSecretFiles } from "./cli/commands/check/check-settings.ts";
import { readConfig } from "./config.ts";
import { secretNames } from "./secret-settings.ts";

const given: Record<string, string> = {
  ...productionSettings({ url: "postgres://cauri:secret@127.0.0.1/cauri" }),
  METRICS_TOKEN: "sixteen-characters-and-more",
  OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
  OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc",
};

/** A folder with a file for each secret, and the settings that are left. */
function inFiles() {
  const folder = mkdtempSync(join(tmpdir(), "cauri-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const left = { ...given };
  for (const name of secretNames) {
    writeFileSync(join(folder, name), `${given[name]}\n`, { mode: 0o600 });
    delete left[name];
  }
  const named = Object.fromEntries(secretNames.map((name) => [`${name}_FILE`, join(folder, name)]));
  return { folder, left, named };
}

test("each secret can stand in a file: one that NAME_FILE names, or a credential of systemd", () => {
  const { folder, left, named } = inFiles();
  const config = readConfig(given);

  expect(readConfig({ ...left, ...named })).toEqual(config);
  expect(readConfig({ ...left, CREDENTIALS_DIRECTORY: folder })).toEqual(config);
  // What is said outright, or by the name of a file, comes before a credential.
  const token = "another-token-of-prometheus";
  const both = { ...left, CREDENTIALS_DIRECTORY: folder, METRICS_TOKEN: token };
  expect(readConfig(both).metricsToken).toBe(token);
  // A file of settings may name files as well.
  const file = join(folder, "settings");
  writeFileSync(file, `METRICS_TOKEN_FILE=${join(folder, "METRICS_TOKEN")}\n`);
  expect(readConfig({ SETTINGS_FILE: file }).metricsToken).toBe(given["METRICS_TOKEN"]);
});

test("a start tells of a secret in a file what it tells of any: that there is one", () => {
  const { folder, left, named } = inFiles();
  const secrets = Object.fromEntries(secretNames.map((name) => [name, hidden]));

  expect(changedSettings({ ...left, ...named })).toMatchObject(secrets);
  expect(changedSettings({ ...left, CREDENTIALS_DIRECTORY: folder })).toMatchObject(secrets);
});

test("a secret that is given twice, or whose file is missing, empty or wrong, is named with all other problems", () => {
  const { folder, left, named } = inFiles();
  writeFileSync(join(folder, "empty"), "\n");
  writeFileSync(join(folder, "MASTER_KEY"), "short");
  const start = () =>
    readConfig({
      ...left,
      ...named,
      DATABASE_URL: given["DATABASE_URL"],
      METRICS_TOKEN_FILE: join(folder, "empty"),
      SMS_GATEWAY_TOKEN_FILE: join(folder, "nowhere"),
    });

  expect(start).toThrow("DATABASE_URL and DATABASE_URL_FILE are both set");
  expect(start).toThrow("METRICS_TOKEN_FILE names an empty file");
  expect(start).toThrow(/SMS_GATEWAY_TOKEN_FILE cannot be read: ENOENT/);
  expect(start).toThrow("SMS_GATEWAY_TOKEN is required in production");
  expect(start).toThrow("MASTER_KEY must be 32 bytes");
  // A credential that a unit does not load is a setting that is not set; one that cannot be read is a mistake.
  const other = mkdtempSync(join(folder, "credentials-"));
  expect(() => readConfig({ ...left, CREDENTIALS_DIRECTORY: other })).toThrow(
    "MASTER_KEY is required in production",
  );
  mkdirSync(join(other, "MASTER_KEY"));
  expect(() => readConfig({ ...left, CREDENTIALS_DIRECTORY: other })).toThrow(
    "The credential MASTER_KEY cannot be read: EISDIR",
  );
});

test("the check names the file of a secret that others may read", async () => {
  const { folder, named } = inFiles();
  const check = () => checkSecretFiles({ dataDir: join(folder, "none") }, named);

  expect(await check()).toMatchObject({ state: "ok" });
  chmodSync(join(folder, "MASTER_KEY"), 0o640);
  expect(await check()).toMatchObject({
    state: "problem",
    message: expect.stringContaining(`${join(folder, "MASTER_KEY")} (640)`),
  });
});
