import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { startService, type TestDatabase, type TestService } from "./fixtures.ts";

/** A span as it arrived, with its attributes as an object. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly service: string;
  readonly instance: string;
}

interface Collected {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
}

type Keyed = { key: string; value: Record<string, string> }[];

/** A collector of OpenTelemetry on loopback: takes OTLP over HTTP as JSON, and remembers it. */
export class Collector {
  readonly requests: Collected[] = [];
  respond: (response: ServerResponse) => void = (response) =>
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const raw = Buffer.concat(chunks).toString("utf8");
      this.requests.push({ path: request.url ?? "", headers: request.headers, raw });
      this.respond(response);
    });
  });

  /** Gone when the test is over. */
  static async start(): Promise<Collector> {
    const collector = new Collector();
    collector.#server.listen(0, "127.0.0.1");
    await once(collector.#server, "listening");
    onTestFinished(() => {
      collector.#server.closeAllConnections();
      collector.#server.close();
    });
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get spans(): CollectedSpan[] {
    return this.requests.flatMap(({ raw }) =>
      (JSON.parse(raw) as { resourceSpans: ResourceSpans[] }).resourceSpans.flatMap(
        ({ resource, scopeSpans }) => {
          const of = toObject(resource.attributes);
          return scopeSpans.flatMap(({ spans }) =>
            spans.map((span) => ({
              ...span,
              attributes: toObject(span.attributes),
              service: of["service.name"] ?? "",
              instance: of["service.instance.id"] ?? "",
            })),
          );
        },
      ),
    );
  }

  ofTrace(traceId: string): CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }
}

interface ResourceSpans {
  resource: { attributes: Keyed };
  scopeSpans: { spans: (Omit<CollectedSpan, "attributes"> & { attributes: Keyed })[] }[];
}

function toObject(attributes: Keyed): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]),
  );
}

export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
}

export function newContext(): TraceContext {
  return { traceId: randomBytes(16).toString("hex"), spanId: randomBytes(8).toString("hex") };
}

/** A node that hands its traces to the collector. */
export async function startTraced(
  db: TestDatabase,
  collector: Collector,
  settings: Record<string, string> = {},
): Promise<TestService> {
  return startService(db, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...settings });
}

export function transferOf(reference: string) {
  return { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference };
}
