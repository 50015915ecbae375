import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { webhooks } from "@cauri/sdk";
import { expect, onTestFinished, test } from "vitest";
import { packageRoot } from "../../src/kernel/root.ts";
import { chooseTestPort } from "../free-port.ts";
import { call, makeDataDir, startProcess } from "../process.ts";
import { patience, startReceiver } from "../receiver.ts";

interface Told {
  readonly sequence: number;
  readonly payload: { readonly topic: string; readonly data: { readonly id: string } };
  readonly status?: number;
}

test("webhooks listen: the service is killed, stopped and started under it, and each event is handed on once, in order and signed", async () => {
  const dataDir = await makeDataDir();
  const settings = { PORT: String(await chooseTestPort()), LOG_LEVEL: "warn" };
  let service = await startProcess(dataDir, settings);
  const { accessToken, secretKey } = JSON.parse(
    await readFile(join(dataDir, "demo.json"), "utf8"),
  ) as Record<"accessToken" | "secretKey", string>;
  const receiver = await startReceiver();
  const listener = listen(receiver.url, {
    CAURI_URL: service.url,
    CAURI_TOKEN: accessToken,
    CAURI_SECRET_KEY: secretKey,
  });

  let sent = 0;
  const send = () => {
    sent += 1;
    const transfer = { type: "transfer", amount: 5_000, msisdn: "2250700000000" };
    const body = { ...transfer, reference: `r${sent}` };
    return call(service.url, accessToken, "/v1/transactions", body).catch(() => undefined);
  };
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    const heard = listener.lines.length;
    for (let count = 0; count < 5; count += 1) await send();
    // It is heard that something happens, and in the middle of that the service goes.
    await expect.poll(() => listener.lines.length, patience).toBeGreaterThan(heard);
    const underWay = Array.from({ length: 10 }, send);
    await Promise.race(underWay);
    await service.end(signal);
    await Promise.all(underWay);
    service = await startProcess(dataDir, settings);
  }
  await send();

  // Everything has ended when as many have ended as were begun; the service itself says what there is to tell.
  const events = async () => {
    const all = await call(service.url, accessToken, "/v1/events?after=0&limit=100");
    return all.body.data as Told[];
  };
  const pending = async () =>
    (await call(service.url, accessToken, "/v1/transactions?status=pending")).body.count;
  await expect.poll(pending, patience).toBe(0);
  const expected = await events();
  expect(expected.length).toBeGreaterThan(20);
  expect(expected.length).toBeLessThan(100);
  await expect.poll(() => listener.lines.length, patience).toBe(expected.length);

  const told = listener.lines.map((line) => JSON.parse(line) as Told);
  expect(told.map(({ sequence }) => sequence)).toEqual(expected.map((_, index) => index + 1));
  expect(told.map(({ payload }) => payload)).toEqual(expected.map(({ payload }) => payload));
  expect(new Set(told.map(({ status }) => status))).toEqual(new Set([200]));
  const received = await receiver.until(expected.length);
  const verified = [];
  for (const { raw, headers } of received)
    verified.push(await webhooks.verify(raw, headers, secretKey));
  expect(verified.map(({ topic, data }) => ({ topic, data }))).toEqual(
    expected.map(({ payload }) => payload),
  );
  expect(new Set(verified.map(({ id }) => id)).size).toBe(expected.length);

  listener.process.kill("SIGTERM");
  expect(await once(listener.process, "exit")).toEqual([0, null]);
  const last = { events: expected.length, lastSequence: expected.length };
  expect(JSON.parse(listener.lines.at(-1) ?? "")).toEqual(last);
  expect(listener.said).toContain("going on where it was");
  expect(await service.end("SIGTERM")).toBe(0);
});

/** The command as a developer runs it, and the lines that it has printed whole. */
function listen(forwardTo: string, environment: Readonly<Record<string, string>>) {
  const args = ["webhooks", "listen", "--json", "--after", "0", "--forward-to", forwardTo];
  const child: ChildProcess = spawn(
    process.execPath,
    [join(packageRoot, "dist/src/main.js"), ...args],
    { env: { PATH: process.env["PATH"], ...environment }, stdio: ["ignore", "pipe", "pipe"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  const listener = { process: child, lines: [] as string[], said: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    listener.lines = printed.split("\n").slice(0, -1);
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    listener.said += text;
  });
  return listener;
}
