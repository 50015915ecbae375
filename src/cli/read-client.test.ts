import { expect, test } from "vitest";
import { readClient, readSecretKey } from "./read-client.ts";

test("a business's settings: an address and a token", () => {
  const token = `at_${"x".repeat(43)}`;
  expect(readClient({ CAURI_TOKEN: token })).toEqual({ url: "http://127.0.0.1:8080", token });
  expect(readClient({ CAURI_TOKEN: token, CAURI_URL: "https://pay.example/" }).url).toBe(
    "https://pay.example",
  );
  for (const wrong of [
    {},
    { CAURI_TOKEN: "" },
    { CAURI_TOKEN: "sk_secret" },
    { CAURI_TOKEN: token, CAURI_URL: "pay.example" },
    { CAURI_TOKEN: token, CAURI_URL: "ftp://pay.example" },
  ])
    expect(() => readClient(wrong)).toThrow("The configuration cannot be used");
});

test("what a business signs with: its secret key, and no token", () => {
  const secretKey = `sk_${"x".repeat(43)}`;
  expect(readSecretKey({ CAURI_SECRET_KEY: ` ${secretKey}\n` })).toBe(secretKey);
  for (const wrong of [undefined, "", `at_${"x".repeat(43)}`])
    expect(() => readSecretKey({ CAURI_SECRET_KEY: wrong })).toThrow("CAURI_SECRET_KEY");
});
