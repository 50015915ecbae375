import { expect, test } from "vitest";
import { readConfig } from "../../../config.ts";
import { describeLink } from "./describe-link.ts";

test("a link begins with PUBLIC_URL; where that is not set it is said, and what to do", () => {
  const known = describeLink(readConfig({ PUBLIC_URL: "https://pay.example" }), "t");
  expect(known).toEqual({ link: "https://pay.example/console/join/t", notes: [] });
  const guessed = describeLink(readConfig({ PORT: "9090" }), "t");
  expect(guessed.link).toBe("http://127.0.0.1:9090/console/join/t");
  expect(guessed.notes.join("\n")).toContain("set PUBLIC_URL");
});
