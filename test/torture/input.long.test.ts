import { expect } from "vitest";
import { onGround } from "../../torture/ground.ts";
import { attackWithInput, input, inputSettings } from "../../torture/input/input.ts";
import { test } from "../fixtures.ts";
import { shortCampaign, shortTimeoutMs } from "./short.ts";

/** Always the same requests, so that the suite says the same of the same code; campaigns send others. */
const seed = 1;

test(input.promises, { timeout: shortTimeoutMs }, async ({ db }) => {
  const { counts, findings } = await onGround(
    { databaseUrl: db.url, settings: inputSettings },
    (ground) => attackWithInput(shortCampaign(seed), ground),
  );

  expect(findings).toEqual([]);
  expect(counts["requests"]).toBe(2_400);
});
