import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const limitMs = 2_000;
/** Patroni answers a switchover when it is over. */
const orderLimitMs = 60_000;

/** How Patroni is asked, and told what to do: over TLS, by the password of the cluster. */
export class PatroniRest {
  readonly #ca: Buffer;
  readonly #auth: string;

  constructor(folder: string) {
    this.#ca = readFileSync(join(folder, "tls/ca.crt"));
    this.#auth = `patroni:${readFileSync(join(folder, "rest"), "utf8").trim()}`;
  }

  async ask(port: number, path: string, order?: string): Promise<{ isOk: boolean; text: string }> {
    const sent = request({
      host: "127.0.0.1",
      port,
      path,
      ca: this.#ca,
      ...(order === undefined ? {} : { method: "POST", auth: this.#auth }),
      signal: AbortSignal.timeout(order === undefined ? limitMs : orderLimitMs),
      agent: false,
    });
    sent.end(order);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return { isOk: response.statusCode === 200, text: await text(response) };
  }
}
