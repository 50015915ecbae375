import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { isForeign } from "./foreign-requests.ts";

const publicUrl = "https://pay.example";
const isRefused = (headers: Record<string, string>) =>
  isForeign(
    { headers: { host: "pay.example", ...headers } } as unknown as FastifyRequest,
    publicUrl,
  );

test.for([
  {},
  { origin: "null" },
  { origin: "https://pay.example" },
  { origin: "http://pay.example" },
  { origin: "https://pay.example", "sec-fetch-site": "same-origin" },
  { "sec-fetch-site": "none" },
])("a form of our own page is taken: %j", (headers) => {
  expect(isRefused(headers)).toBe(false);
});

test.for([
  { origin: "https://evil.example" },
  { origin: "https://evil-pay.example" },
  { origin: "https://pay.example.evil.example" },
  { origin: "https://pay.example:8443" },
  { origin: "https://evil.example/pay.example" },
  { origin: "pay.example" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { origin: "null", "sec-fetch-site": "cross-site" },
  { origin: "https://pay.example", "sec-fetch-site": "cross-site" },
])("a form of another site is refused: %j", (headers) => {
  expect(isRefused(headers)).toBe(true);
});
