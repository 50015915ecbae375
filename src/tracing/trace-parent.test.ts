import { expect, test } from "vitest";
import { parseTraceparent, toTraceparent } from "./trace-parent.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";

test("a traceparent is read as W3C Trace Context says, and written so", () => {
  expect(parseTraceparent(`00-${traceId}-${spanId}-01`)).toEqual({
    traceId,
    spanId,
    isSampled: true,
  });
  expect(parseTraceparent(`00-${traceId}-${spanId}-00`)?.isSampled).toBe(false);
  expect(parseTraceparent(`00-${traceId}-${spanId}-03`)?.isSampled).toBe(true);
  // A later version may say more.
  expect(parseTraceparent(`01-${traceId}-${spanId}-01-more`)?.traceId).toBe(traceId);
  expect(toTraceparent({ traceId, spanId })).toBe(`00-${traceId}-${spanId}-01`);
});

test("what is no traceparent is none", () => {
  for (const header of [
    undefined,
    "",
    "00",
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId}-${spanId}`,
    ` 00-${traceId}-${spanId}-01`,
    `01-${traceId}-${spanId}-01-${"x".repeat(1_000)}`,
  ])
    expect(parseTraceparent(header), header).toBeUndefined();
});
