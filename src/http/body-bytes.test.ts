import { expect, test } from "vitest";
import { BodyBytes } from "./body-bytes.ts";

const megabyte = 1024 * 1024;

test("one account may hold its share, another still finds room, and what is given back is free again", () => {
  const bytes = new BodyBytes({ bytesMax: 32 * megabyte, share: 0.5 });
  bytes.take("a", 10 * megabyte);

  expect(bytes.hasShareFor("a", 6 * megabyte)).toBe(true);
  expect(bytes.hasShareFor("a", 6 * megabyte + 1)).toBe(false);
  expect(bytes.hasShareFor("b", 16 * megabyte)).toBe(true);

  bytes.giveBack("a", 10 * megabyte);
  expect(bytes.hasShareFor("a", 16 * megabyte)).toBe(true);
});

test("when the node holds all it can there is no room, and there is when something was given back", () => {
  const bytes = new BodyBytes({ bytesMax: 32 * megabyte, share: 0.5 });
  bytes.take("a", 16 * megabyte);
  bytes.take("b", 16 * megabyte);

  expect(bytes.hasRoomFor(1)).toBe(false);

  bytes.giveBack("b", 16 * megabyte);
  expect(bytes.hasRoomFor(16 * megabyte)).toBe(true);
});

test("whoever holds nothing is let in, so that no body is too large for ever", () => {
  const bytes = new BodyBytes({ bytesMax: megabyte, share: 0.1 });

  expect(bytes.hasShareFor("a", 16 * megabyte)).toBe(true);
  expect(bytes.hasRoomFor(16 * megabyte)).toBe(true);
});
