import { expect, test } from "vitest";
import { Overloaded } from "../kernel/errors.ts";
import { ShareUsedUp } from "./errors.ts";
import { Places } from "./places.ts";

test("a holder has as many places as it may have, a node no more than all of them, and each is given back", () => {
  const places = new Places({ perHolderMax: 2, perNodeMax: 4, refuse: () => new ShareUsedUp() });
  const [first, , third] = ["a", "a", "b", "c"].map((holder) => places.take(holder));

  expect(() => places.take("a")).toThrow(ShareUsedUp);
  expect(() => places.take("d")).toThrow(Overloaded);

  first?.();
  third?.();
  expect(places.take("a")).toBeTypeOf("function");
  expect(() => places.take("a")).toThrow(ShareUsedUp);
  expect(places.take("d")).toBeTypeOf("function");
});
