import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { secretBox } from "./secret-box.ts";

test("a sealed secret opens with its key and its owner only, and never looks the same twice", () => {
  const box = secretBox(randomBytes(32));
  const sealed = box.seal("sk_secret", "company-a");

  expect(box.open(sealed, "company-a")).toBe("sk_secret");
  expect(sealed.includes("sk_secret")).toBe(false);
  expect(box.seal("sk_secret", "company-a").equals(sealed)).toBe(false);
  expect(() => box.open(sealed, "company-b")).toThrow();
  expect(() => secretBox(randomBytes(32)).open(sealed, "company-a")).toThrow();
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
  expect(() => box.open(sealed, "company-a")).toThrow();
});

test("a derived key is always the same for its purpose, and another for every other", () => {
  const masterKey = randomBytes(32);
  const key = secretBox(masterKey).deriveKey("a purpose");

  expect(key).toHaveLength(32);
  expect(secretBox(masterKey).deriveKey("a purpose")).toEqual(key);
  expect(secretBox(masterKey).deriveKey("another")).not.toEqual(key);
  expect(secretBox(randomBytes(32)).deriveKey("a purpose")).not.toEqual(key);
  expect(masterKey).not.toEqual(key);
});
