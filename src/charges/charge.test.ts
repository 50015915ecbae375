import { expect, test } from "vitest";
import { type Charge, canceledUrlOf, chargeCan, chargeStatuses, completedUrlOf } from "./charge.ts";

test("what may happen to a charge, by status", () => {
  const table = Object.fromEntries(
    chargeStatuses.map((status) => [
      status,
      Object.entries(chargeCan).flatMap(([action, may]) => (may({ status }) ? [action] : [])),
    ]),
  );

  expect(table).toEqual({
    due: ["pay", "cancel", "expire"],
    paid: ["refund"],
    dropped: [],
    refunded_partially: ["refund"],
    refunded: [],
  });
});

test("the company's addresses are told which charge it was; query and fragment stay as they were", () => {
  const added = "chargeId=c-1&externalId=a%20b%26c%2F%C3%A9%23";
  const expected = {
    "https://shop.example/": `https://shop.example/?${added}`,
    "https://shop.example/?": `https://shop.example/?${added}`,
    "https://shop.example/?a=1": `https://shop.example/?a=1&${added}`,
    "https://shop.example/?a=1&": `https://shop.example/?a=1&${added}`,
    "https://shop.example/?sig=a%2Bb+c%20d&e=#/end?x": `https://shop.example/?sig=a%2Bb+c%20d&e=&${added}#/end?x`,
    "https://shop.example/?chargeId=x&a=1&%65xternalId=y&charge=2": `https://shop.example/?a=1&charge=2&${added}`,
    "https://shop.example/?a=1&&b=2&chargeId#top": `https://shop.example/?a=1&&b=2&${added}#top`,
    "https://shop.example/?externalId=": `https://shop.example/?${added}`,
    "https://shop.example/??chargeId=1": `https://shop.example/??chargeId=1&${added}`,
    "http://localhost:3000/back#top": `http://localhost:3000/back?${added}#top`,
  };
  for (const [url, full] of Object.entries(expected)) {
    const charge = {
      id: "c-1",
      externalId: "a b&c/é#",
      onCompletedRedirectionUrl: url,
      onCanceledRedirectionUrl: url,
    } as Charge;
    expect(completedUrlOf(charge)).toBe(full);
    expect(canceledUrlOf(charge)).toBe(full);
    expect(new URL(full).searchParams.get("externalId")).toBe(charge.externalId);
  }
});
