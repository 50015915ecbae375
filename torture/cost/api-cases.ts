import { exampleBody, fieldsOf, withValue } from "../api/blueprint.ts";
import type { Operation } from "../api/document.ts";
import { asking, type Case } from "./case.ts";
import { batchShapes, headerShapes, jsonShapes, textShapes } from "./shapes.ts";
import type { Site } from "./site.ts";

/** A little less than a body may have, so that it is read to its end. */
const bodyMost = 1_000_000;
/** And of a batch, which may have 16 MB. */
const batchMost = 16_000_000;
/** All headers, with the address, may have 16 KB. */
const headerMost = 12_000;
const json = { "content-type": "application/json" };

function bearer({ token }: Site): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** Ways in that no document names, and those that lead nowhere. */
const otherWays: readonly (readonly [method: string, path: string, hasToken: boolean])[] = [
  ["POST", "/nothing", false],
  ["POST", "/v1/nothing", true],
  ["POST", "/v1/nothing", false],
  ["POST", "/healthz", false],
  ["PUT", "/openapi.json", false],
  ["PATCH", "/docs", false],
  ["DELETE", "/v1/balance", true],
  ["PUT", "/v1/transactions", true],
  ["POST", "/v1/transactions", false],
  ["POST", "/console/login", false],
  ["POST", "/wallet", false],
  ["GET", "/v1/balance", true],
];

const headers = [
  "authorization",
  "cookie",
  "accept",
  "accept-language",
  "accept-encoding",
  "content-type",
  "idempotency-key",
  "x-company-id",
  "x-correlation-id",
  "x-forwarded-for",
  "traceparent",
  "tracestate",
  "if-none-match",
  "origin",
  "sec-fetch-site",
  "user-agent",
];

function pathOf({ path }: Operation): string {
  return path.replaceAll(/\{\w+\}/g, "txn_01a1ecfe155670008000c6f86bdd6947");
}

/** Every way into the API: bodies, their fields, parameters, addresses and headers. */
export function apiCases(operations: readonly Operation[]): Case[] {
  const ways = [
    ...operations
      .filter(({ body }) => body !== undefined)
      .map((one) => [one.method, pathOf(one), one.needsToken] as const),
    ...otherWays,
  ];
  return [
    ...ways.flatMap(([method, path, hasToken]) =>
      jsonShapes.map(({ name, make }) =>
        asking(
          `${method} ${path}${hasToken ? "" : " without a token"}, body: ${name}`,
          bodyMost,
          (site, length) => ({
            method,
            target: path,
            headers: { ...json, ...(hasToken ? bearer(site) : {}) },
            body: make(length),
          }),
        ),
      ),
    ),
    ...[...batchShapes, ...jsonShapes].map(({ name, make }) =>
      asking(`POST /v1/transactions/batch, whole body: ${name}`, batchMost, (site, length) => ({
        method: "POST",
        target: "/v1/transactions/batch",
        headers: { ...json, ...bearer(site) },
        body: make(length),
      })),
    ),
    ...operations.flatMap(fieldCases),
    ...operations.flatMap(parameterCases),
    ...addressCases(),
    ...headerCases(),
  ];
}

let asked = 0;

function fieldCases(operation: Operation): Case[] {
  const { method, body: schema } = operation;
  if (schema === undefined) return [];
  return fieldsOf(schema).flatMap(({ place }) =>
    textShapes.map(({ name, make }) =>
      asking(
        `${method} ${operation.path}, ${place.join(".")}: ${name}`,
        bodyMost,
        (site, length) => {
          asked += 1;
          const body = withValue(exampleBody(operation, `cost-${asked}`), place, make(length));
          return {
            method,
            target: pathOf(operation),
            headers: { ...json, ...bearer(site) },
            body: JSON.stringify(body),
          };
        },
      ),
    ),
  );
}

function parameterCases(operation: Operation): Case[] {
  const { method, parameters } = operation;
  const target = pathOf(operation);
  const ask = (name: string, targetOf: (length: number) => string) =>
    asking(`${method} ${operation.path}, ${name}`, headerMost, (site, length) => ({
      method,
      target: targetOf(length),
      headers: bearer(site),
    }));
  return [
    ...parameters
      .filter((one) => one.in === "query")
      .flatMap(({ name }) =>
        textShapes.map((shape) =>
          ask(
            `?${name}: ${shape.name}`,
            (length) => `${target}?${name}=${encoded(shape.make, length)}`,
          ),
        ),
      ),
    ...parameters
      .filter((one) => one.in === "path")
      .flatMap(({ name }) =>
        textShapes.map((shape) =>
          ask(`{${name}}: ${shape.name}`, (length) =>
            operation.path.replace(`{${name}}`, encoded(shape.make, length)),
          ),
        ),
      ),
    ask("many parameters", (length) => `${target}?${"a&".repeat(length / 2)}`),
    ask("one parameter many times", (length) => `${target}?${"limit=1&".repeat(length / 8)}`),
    ask("parameters in brackets", (length) => `${target}?a${"[a]".repeat(length / 3)}=1`),
  ];
}

/** So long as it is written in an address. */
function encoded(make: (length: number) => string, length: number): string {
  const text = encodeURIComponent(make(Math.min(length, 64)));
  return encodeURIComponent(
    make(Math.max(1, Math.floor((length * 64) / Math.max(64, text.length)))),
  );
}

function addressCases(): Case[] {
  return ["a", "/", "//", "/.", "/..", "%2f", "%", "%25", ";", "?", "*", ":", "é"].map((piece) =>
    asking(`GET an address of ${piece}`, headerMost, (_site, length) => ({
      method: "GET",
      target: encodeURI(`/v1/${piece.repeat(length / piece.length)}`).replaceAll("%25", "%"),
    })),
  );
}

function headerCases(): Case[] {
  const ways = ["/v1/balance", "/console/login", "/wallet", "/nothing"];
  return [
    ...ways.flatMap((target) =>
      headers.flatMap((header) =>
        headerShapes.map(({ name, make }) =>
          asking(`GET ${target}, ${header}: ${name}`, headerMost, (site, length) => ({
            method: "GET",
            target,
            headers: { ...bearer(site), [header]: make(length) },
          })),
        ),
      ),
    ),
    ...ways.map((target) =>
      asking(`GET ${target}, many headers`, headerMost, (_site, length) => ({
        method: "GET",
        target,
        headers: Object.fromEntries(
          Array.from({ length: Math.ceil(length / 10) }, (_, place) => [`x-${place}`, "1"]),
        ),
      })),
    ),
    ...ways.map((target) =>
      asking(`GET ${target}, many cookies`, headerMost, (_site, length) => ({
        method: "GET",
        target,
        headers: { cookie: "cauri_console=a; ".repeat(length / 17) },
      })),
    ),
  ];
}
