import { expect, test } from "vitest";
import { firstUuidAt, newUuid, parsePublicId, timeOfUuid, toPublicId } from "./ids.ts";
import { idRangeOf, toServiceReference } from "./service-reference.ts";

/** Later than any id that was made before. */
const now = timeOfUuid(newUuid(Date.now())) + 1;

test("ids made in one millisecond, or while the clock steps back, still increase", () => {
  const moments = [now, now, now, now - 5_000, now, now + 1];
  const ids = moments.map((moment) => newUuid(moment));

  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(ids.length);
});

test("ten thousand ids of one moment carry that moment", () => {
  const later = now + 10;
  const ids = Array.from({ length: 10_000 }, () => newUuid(later));

  expect(ids.every((id) => timeOfUuid(id) === later)).toBe(true);
  expect(ids.every((id) => id >= firstUuidAt(later) && id < firstUuidAt(later + 1))).toBe(true);
  expect(
    ids.every((id) =>
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id),
    ),
  ).toBe(true);
});

test("a public id leads back to its uuid, and nothing else does", () => {
  const uuid = newUuid(now);
  const id = toPublicId("txn", uuid);

  expect(parsePublicId("txn", id)).toBe(uuid);
  for (const wrong of [
    "",
    "txn_",
    `bat_${id.slice(4)}`,
    id.toUpperCase(),
    `${id}0`,
    uuid,
    "txn_' or 1=1",
  ]) {
    expect(parsePublicId("txn", wrong)).toBeUndefined();
  }
});

test("the reference a recipient sees is short, readable and leads back to its id", () => {
  const uuid = newUuid(now + 20);
  const reference = toServiceReference(uuid);

  expect(reference).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
  const range = idRangeOf(reference.toLowerCase());
  expect(range !== undefined && uuid >= range.from && uuid < range.before).toBe(true);
  expect(range?.random).toBe(Number(BigInt(`0x${uuid.slice(24)}`) % 2n ** 38n));
  expect(idRangeOf("hello")).toBeUndefined();
});

test("a hundred thousand references are all different", () => {
  const references = Array.from({ length: 100_000 }, (_, index) =>
    toServiceReference(newUuid(now + 100 + (index >> 5))),
  );

  expect(new Set(references).size).toBe(references.length);
});
