import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, test } from "vitest";
import { productionSettings } from "../../test/fixtures.ts";
import { startReceiver } from "../../test/receiver.ts";
import { readConfig } from "../config.ts";
import { openMessenger } from "./open-messenger.ts";

const message = { msisdn: "2250701020304", text: "Votre code : 123456" };
const silent = pino({ level: "silent" });

test("without a gateway staging writes messages to its log, and codes are to be shown", async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const messenger = openMessenger(readConfig({}), pino(stream));

  await messenger.send(message);

  expect(messenger.showsCode(message.msisdn)).toBe(true);
  expect(lines.join("")).toContain(message.text);
  expect(lines.join("")).not.toContain("0701020304");
});

test("with a gateway nothing is shown, in staging and in production", () => {
  const gateway = { SMS_GATEWAY_URL: "http://127.0.0.1:9000/", SMS_GATEWAY_TOKEN: "t0k3n" };
  const production = productionSettings({ url: "postgres://db/cauri" });

  for (const environment of [gateway, production])
    expect(openMessenger(readConfig(environment), silent).showsCode(message.msisdn)).toBe(false);
});

test("test numbers belong to strangers: with a gateway too they get no message, and their codes are shown", async () => {
  const gateway = await startReceiver();
  const settings = { SMS_GATEWAY_URL: gateway.url, SMS_GATEWAY_TOKEN: "t0k3n" };
  const messenger = openMessenger(readConfig(settings), silent);

  for (const msisdn of ["2250700000000", "2250700000001"]) {
    expect(messenger.showsCode(msisdn)).toBe(true);
    expect(messenger.costs(msisdn)).toBe(false);
    await messenger.send({ ...message, msisdn });
  }
  await messenger.send(message);

  expect(gateway.received.map(({ body }) => body.to)).toEqual([`+${message.msisdn}`]);
});

test("production never falls back to the log", () => {
  const config = {
    environment: "production",
    smsGateway: undefined,
    testMsisdns: undefined,
  } as const;

  expect(() => openMessenger(config, silent)).toThrow();
});
