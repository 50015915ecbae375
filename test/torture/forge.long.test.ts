import { expect, inject } from "vitest";
import { forgeWith } from "../../torture/forge/forge.ts";
import { test } from "../fixtures.ts";
import { notOnCluster } from "../on-cluster.ts";
import { shortCampaign, shortTimeoutMs } from "./short.ts";

test("forgeries of a sealed day by the owner of the database are noticed, and so are those of signed files", {
  timeout: shortTimeoutMs,
}, async ({ skip }) => {
  notOnCluster({ skip }, "forgeries");
  const seed = Date.now() % 2 ** 32;
  const { findings } = await forgeWith(shortCampaign(seed), inject("postgresUrl"));
  expect(findings, `seed ${seed}`).toEqual([]);
});
