import { Writable } from "node:stream";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { Receiver, startReceiver } from "../../test/receiver.ts";
import { MessageNotSent, MessageOutcomeUnknown } from "./errors.ts";
import { httpMessenger } from "./http-messenger.ts";

const token = "gateway-t0k3n";
const message = { msisdn: "2250701020304", text: "Votre code : 123456" };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("a message is one POST of the number and the text, with the token", async () => {
  const gateway = await startReceiver((_received, response) => response.writeHead(202).end("ok"));

  await messengerTo(`${gateway.url}/v2/messages?account=7`).send(message);

  expect(gateway.received).toHaveLength(1);
  expect(gateway.received[0]?.path).toBe("/v2/messages?account=7");
  expect(gateway.received[0]?.body).toStrictEqual({ to: "+2250701020304", text: message.text });
  expect(gateway.received[0]?.headers).toMatchObject({
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "idempotency-key": expect.stringMatching(uuid),
  });
});

describe("trying again", () => {
  test.for([500, 502, 503, 429])("after %i, with the same key, and it arrives", async (status) => {
    const gateway = await startReceiver((_received, response) =>
      response.writeHead(gateway.received.length < 3 ? status : 200).end(),
    );

    await messengerTo(gateway.url).send(message);

    expect(gateway.received).toHaveLength(3);
    expect(keysAt(gateway).size).toBe(1);
    expect(new Set(gateway.received.map(({ raw }) => raw)).size).toBe(1);
  });

  test("after a broken connection and after no answer", async () => {
    const gateway = await startReceiver((_received, response, request) => {
      if (gateway.received.length === 1) request.socket.destroy();
      else if (gateway.received.length === 3) response.writeHead(200).end();
    });

    await messengerTo(gateway.url, 4_000).send(message);

    expect(gateway.received).toHaveLength(3);
    expect(keysAt(gateway).size).toBe(1);
  });

  test("another message has another key", async () => {
    const gateway = await startReceiver();
    const messenger = messengerTo(gateway.url);

    await messenger.send(message);
    await messenger.send(message);

    expect(keysAt(gateway).size).toBe(2);
  });

  test.for([400, 401, 404, 413, 422])(
    "never after %i: what is wrong stays wrong",
    async (status) => {
      const gateway = await startReceiver((_received, response) =>
        response.writeHead(status).end(),
      );

      await expect(messengerTo(gateway.url).send(message)).rejects.toThrow(MessageNotSent);

      expect(gateway.received).toHaveLength(1);
    },
  );
});

describe("giving up", () => {
  test.for([429, 503])("three times %i: certainly not sent", async (status) => {
    const gateway = await startReceiver((_received, response) => response.writeHead(status).end());

    await expect(messengerTo(gateway.url).send(message)).rejects.toThrow(MessageNotSent);

    expect(gateway.received).toHaveLength(3);
  });

  test("three times 500: nobody knows", async () => {
    const gateway = await startReceiver((_received, response) => response.writeHead(500).end());

    await expect(messengerTo(gateway.url).send(message)).rejects.toThrow(MessageOutcomeUnknown);

    expect(gateway.received).toHaveLength(3);
  });

  test("no answer, three times: each attempt ends by itself, and nobody knows", async () => {
    const gateway = await startReceiver(() => {});

    await expect(messengerTo(gateway.url, 2_000).send(message)).rejects.toThrow(
      MessageOutcomeUnknown,
    );

    expect(gateway.received).toHaveLength(3);
  });

  test("a refusal after an attempt that may have arrived is no certainty", async () => {
    const gateway = await startReceiver((_received, response, request) => {
      if (gateway.received.length === 1) request.socket.destroy();
      else response.writeHead(400).end();
    });

    await expect(messengerTo(gateway.url).send(message)).rejects.toThrow(MessageOutcomeUnknown);

    expect(gateway.received).toHaveLength(2);
  });

  test("nobody listens, no such name, no TLS: certainly not sent", async () => {
    const gone = await Receiver.start();
    const { url: nobody } = gone;
    await gone.stop();
    const plain = await startReceiver();

    for (const url of [nobody, "http://sms.invalid/", plain.url.replace("http:", "https:")])
      await expect(messengerTo(url).send(message), url).rejects.toThrow(MessageNotSent);

    expect(plain.received).toEqual([]);
  });

  test("a redirect is not followed: the token is for one address", async () => {
    const elsewhere = await startReceiver();
    for (const status of [301, 302, 303, 307, 308]) {
      const gateway = await startReceiver((_received, response) =>
        response.writeHead(status, { location: elsewhere.url }).end(),
      );

      await expect(messengerTo(gateway.url).send(message)).rejects.toThrow(MessageNotSent);

      expect(gateway.received).toHaveLength(1);
    }
    expect(elsewhere.received).toEqual([]);
  });
});

test("an endless answer delays nobody, and is not read to its end", async () => {
  let written = 0;
  let isBrokenOff = false;
  const gateway = await startReceiver((_received, response) => {
    response.writeHead(200);
    const pour = () => {
      let hasRoom = true;
      while (hasRoom && !response.destroyed && written < 64 * 1_024 * 1_024) {
        written += 65_536;
        hasRoom = response.write(Buffer.alloc(65_536));
      }
      response.once("drain", pour);
    };
    response.once("close", () => {
      isBrokenOff = true;
    });
    pour();
  });

  await messengerTo(gateway.url).send(message);

  await expect.poll(() => isBrokenOff).toBe(true);
  expect(written).toBeLessThan(64 * 1_024 * 1_024);
});

test("the log says that it failed and why, without token, text or number", async () => {
  const lines: string[] = [];
  const gateway = await startReceiver((_received, response, request) => {
    if (gateway.received.length === 1) request.socket.destroy();
    else if (gateway.received.length === 2) response.writeHead(500).end(message.text);
    else response.writeHead(401).end(token);
  });

  await expect(messengerTo(gateway.url, undefined, lines).send(message)).rejects.toThrow(
    MessageOutcomeUnknown,
  );

  const logged = lines.join("");
  expect(lines).toHaveLength(3);
  expect(logged).toContain("answered 401");
  expect(logged).toContain('"to":"***********04"');
  for (const secret of [token, "123456", "0701020304", gateway.url])
    expect(logged).not.toContain(secret);
});

function messengerTo(url: string, timeoutMs?: number, lines: string[] = []) {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const logger = pino({ level: "trace" }, stream);
  return httpMessenger({ url, token, logger, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
}

function keysAt(gateway: Receiver): ReadonlySet<unknown> {
  return new Set(gateway.received.map(({ headers }) => headers["idempotency-key"]));
}
