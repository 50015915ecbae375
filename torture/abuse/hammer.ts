import { setTimeout as sleep } from "node:timers/promises";
import { Wire, type WireAnswer } from "../api/wire.ts";
import type { Attack, Target } from "./attack.ts";

const answerLimitMs = 30_000;
const answerBytesMax = 64 * 1_024;
/** A refused caller that waited as told would be no attack; one that did not wait at all would only attack itself. */
const refusedPauseMs = 20;

export interface HammerOptions {
  readonly name: string;
  readonly callers: number;
  /** The bytes of the next request, headers and all. */
  readonly request: (target: Target, count: number) => Buffer;
  /** The statuses that it may get. */
  readonly statuses: readonly number[];
  /** Done once, before the first request. */
  readonly prepare?: (target: Target) => Promise<void>;
}

/** An attack by callers who each send the next request as soon as they have the answer to the last. */
export function hammer(options: HammerOptions): Attack {
  return {
    name: options.name,
    async run(target) {
      await options.prepare?.(target);
      const findings = new Set<string>();
      let requests = 0;
      const call = async () => {
        const wire = new Wire(target.ground.url, answerLimitMs);
        while (!target.signal.aborted && target.ground.program.isRunning) {
          requests += 1;
          const bytes = options.request(target, requests);
          const exchange = await wire.send({ bytes, isWhole: true });
          if (exchange.kind !== "answered") findings.add(`a request was ${exchange.kind}`);
          else
            for (const answer of exchange.answers) {
              for (const finding of judge(options.statuses, answer)) findings.add(finding);
              if (answer.status === 503 || answer.status === 429) await sleep(refusedPauseMs);
            }
        }
        wire.close();
      };
      await Promise.all(Array.from({ length: options.callers }, call));
      return { requests, findings: [...findings] };
    },
  };
}

function judge(statuses: readonly number[], { status, headers, body }: WireAnswer): string[] {
  const isRefusal = status === 503 || status === 429;
  return [
    ...(statuses.includes(status)
      ? []
      : [`an answer was ${status}: ${body.toString("utf8", 0, 200)}`]),
    ...(status >= 400 && body.length > answerBytesMax
      ? [`an answer of ${status} had more than ${answerBytesMax} bytes`]
      : []),
    ...(isRefusal && !headers.has("retry-after") ? [`a ${status} came without Retry-After`] : []),
  ];
}

/** A request of the attacker's, as bytes. */
export function post(target: Target, path: string, body: string): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${target.attacker.accessToken}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

export function get(path: string, token?: string): Buffer {
  const authorization = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n`);
}
