import { expect, test } from "vitest";
import { InvalidCursor } from "./errors.ts";
import { newUuid } from "./ids.ts";
import { parsePageRequest, toCursor, toPage } from "./page.ts";

const list = { name: "things", owner: "o1" };
const id = newUuid(Date.UTC(2026, 0, 1));

test("a cursor leads back to where a page ended, for the list that gave it out and for no other", () => {
  const cursor = toPage(list, { limit: 1 }, [{ id }, { id }]).next ?? "";

  expect(parsePageRequest(list, { cursor, limit: 3 })).toEqual({
    limit: 3,
    from: { direction: "older", id },
  });
  expect(parsePageRequest({ owner: "o1", name: "things" }, { cursor }).from?.id).toBe(id);
  for (const other of [{ ...list, name: "others" }, { ...list, owner: "o2" }, {}])
    expect(() => parsePageRequest(other, { cursor })).toThrow(InvalidCursor);
});

test("a cursor in another spelling, or with an id that the list cannot have, is refused", () => {
  const cursor = toCursor(list, "newer", id);
  const others = [`${cursor}A`, `${cursor}=`, ` ${cursor}`, cursor.slice(1), "", "é"];
  const ids = ["", "1; drop table", "\u0000", `${id}0`, id.toUpperCase()];
  for (const forged of [...others, ...ids.map((wrong) => toCursor(list, "newer", wrong))])
    expect(() => parsePageRequest(list, { cursor: forged })).toThrow(InvalidCursor);
  expect(parsePageRequest(list, { cursor: toCursor(list, "newer", "17") }, /^\d+$/)).toEqual({
    limit: 15,
    from: { direction: "newer", id: "17" },
  });
});
