import { Writable } from "node:stream";
import { pino } from "pino";
import { onTestFinished } from "vitest";
import { startParts } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { Wire } from "../torture/api/wire.ts";
import { box, type TestDatabase } from "./fixtures.ts";

/** A service, and for every answer the route that gave it, as its log names it. */
export async function startLogged({ database, url }: TestDatabase) {
  const routes = new Map<string, string>();
  const lines = new Writable({
    write(line: Buffer, _encoding, done) {
      const { correlationId, route } = JSON.parse(line.toString()) as Record<string, string>;
      if (correlationId !== undefined && route !== undefined) routes.set(correlationId, route);
      done();
    },
  });
  const settings = { PORT: "0", AUTH_FAILURES_PER_MINUTE: "1000000", EVENT_LOOP_DELAY_MAX_MS: "0" };
  const parts = await startParts(readConfig(settings), pino(lines), database, url, box);
  const address = await parts.app.listen({ host: "127.0.0.1", port: 0 });
  const wire = new Wire(address, 20_000);
  onTestFinished(async () => {
    wire.close();
    await parts.app.close();
    await parts.stop();
  });
  let count = 0;
  const ask = async (method: string, target: string, token = "") => {
    count += 1;
    const id = `asked-${count}`;
    const text = `${method} ${target} HTTP/1.1\r\nHost: x\r\nX-Correlation-Id: ${id}\r\nAccept: text/html\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const isHead = method === "HEAD";
    const sent = await wire.send({ bytes: Buffer.from(text, "latin1"), isWhole: true, isHead });
    if (sent.kind !== "answered") throw new Error(`${method} ${target}: ${sent.kind}`);
    const { status = 0 } = sent.answers[0] ?? {};
    // Node.js itself refuses some of them, before there is a request to be logged.
    return { status, route: status === 400 ? (routes.get(id) ?? "none") : routes.get(id) };
  };
  return { app: parts.app, address, ask };
}
