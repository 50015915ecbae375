import { expect, onTestFinished } from "vitest";
import { test } from "../../test/fixtures.ts";
import { patience } from "../../test/receiver.ts";
import { TcpProxy } from "../../torture/network/tcp-proxy.ts";
import { Signals } from "./signals.ts";

test("a listening connection that became a black hole is noticed, and another one listens again", async ({
  db,
}) => {
  const proxy = await TcpProxy.before(db.url);
  const signals = new Signals(proxy.rewrite(db.url), db.database);
  onTestFinished(async () => {
    await signals.close();
    await proxy.close().catch(() => {});
  });
  const heard: string[] = [];
  signals.on("something_changed", (payload) => heard.push(payload));
  await signals.start();
  expect(signals.isListening).toBe(true);

  proxy.silence();
  proxy.isAway = true;
  await expect.poll(() => signals.isListening, patience).toBe(false);

  proxy.isAway = false;
  await expect.poll(() => signals.isListening, patience).toBe(true);
  await signals.send("something_changed", "hello");
  await expect.poll(() => heard, patience).toEqual(["hello"]);
});
