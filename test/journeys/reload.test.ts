import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { version } from "../../src/kernel/version.ts";
import { call, demoToken, makeDataDir, startProcess } from "../process.ts";
import { patience } from "../receiver.ts";

test("SIGHUP to a lone process takes over what can change, says which, and never ends it", async () => {
  const dataDir = await makeDataDir();
  const file = `${dataDir}/settings`;
  const write = (...lines: string[]) => writeFile(file, `${lines.join("\n")}\n`);
  await write("# of a test", "LOG_LEVEL=info", 'OPERATOR_NAME="Teranga Pay"');
  const service = await startProcess(dataDir, { SETTINGS_FILE: file, LOG_LEVEL: "fatal" });
  const token = await demoToken(dataDir);
  const hangUp = async (expected: string) => {
    service.process.kill("SIGHUP");
    await expect.poll(() => service.output, patience).toContain(expected);
    expect((await call(service.url, token, "/v1/balance")).status).toBe(200);
  };
  await hangUp("SIGHUP: no setting was taken over");

  await write("LOG_LEVEL=debug", "RATE_LIMIT_PER_SECOND=1", "PORT=1", "MESSAGES_IN_ALL=7/9");
  await hangUp(
    "SIGHUP: taken over: LOG_LEVEL, RATE_LIMIT_PER_SECOND, MESSAGES_IN_ALL; changed, needs a restart: ",
  );
  expect(service.output).toMatch(/needs a restart: [A-Z_, ]*PORT/);
  expect(service.output).toMatch(/needs a restart: [A-Z_, ]*OPERATOR_NAME/);
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await call(service.url, token, "/v1/balance")).status),
  );
  expect(statuses).toContain(429);

  await write("LOG_LEVEL=loud", "RATE_LIMIT_PER_SECOND=many");
  service.process.kill("SIGHUP");
  await expect.poll(() => service.output, patience).toContain("the settings stay as they were");
  await write("LOG_LEVEL=warn");
  service.process.kill("SIGHUP");
  await expect
    .poll(() => service.output, patience)
    .toContain('MESSAGES_IN_ALL; changed, needs a restart: OPERATOR_NAME"');
  const again = await Promise.all(
    Array.from({ length: 20 }, async () => (await call(service.url, token, "/v1/balance")).status),
  );
  expect(new Set(again)).toEqual(new Set([200]));
  expect(await service.end("SIGTERM")).toBe(0);
});

test("SIGHUP without a file of settings is answered by a line in the log", async () => {
  const service = await startProcess(await makeDataDir());
  service.process.kill("SIGHUP");
  await expect
    .poll(() => service.output, patience)
    .toContain(
      "there is no SETTINGS_FILE to read, and the environment of a process does not change",
    );
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  expect(await service.end("SIGTERM")).toBe(0);
});

test("the first line of a start has version, commit and the settings that are not by default, without secrets", async () => {
  const token = "a-token-that-nobody-reads";
  const service = await startProcess(await makeDataDir(), {
    METRICS_TOKEN: token,
    RATE_LIMIT_PER_SECOND: "77",
    HOST: "127.0.0.1",
  });
  const line = service.output.split("\n").find((one) => one.includes('"Cauri starts"')) ?? "{}";

  expect(JSON.parse(line)).toMatchObject({
    level: 30,
    version,
    node: process.versions.node,
    processes: 1,
    settings: { METRICS_TOKEN: "[hidden]", RATE_LIMIT_PER_SECOND: "77" },
  });
  expect(JSON.parse(line).commit).toMatch(/^[0-9a-f]{40}(?:-modified)?$|^unknown$/);
  expect(JSON.parse(line).settings).not.toHaveProperty("HOST");
  expect(service.output).not.toContain(token);
});
