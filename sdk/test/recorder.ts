import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What passed, as it was asked. */
export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly contentLength: number;
}

/** Stands before the service, lets everything pass, and keeps what was asked. It can lose answers. */
export class Recorder {
  readonly passed: Passed[] = [];
  /** How many answers are lost from now on, after the service has done what was asked. */
  losing = 0;
  #url = "";

  get url(): string {
    return this.#url;
  }

  static async before(url: string): Promise<Recorder> {
    const recorder = new Recorder();
    const server = createServer((request, response) => {
      const { method = "", headers } = request;
      const path = request.url ?? "";
      recorder.passed.push({
        method,
        path: path.split("?")[0] ?? "",
        key: headers["idempotency-key"] as string | undefined,
        contentLength: Number(headers["content-length"] ?? 0),
      });
      const onward = forward(new URL(path, url), { method, headers }, (answer) => {
        if (recorder.losing > 0) {
          recorder.losing -= 1;
          answer.resume().on("end", () => response.socket?.resetAndDestroy());
          return;
        }
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on("error", () => response.destroy());
      request.pipe(onward);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    recorder.#url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return recorder;
  }
}
