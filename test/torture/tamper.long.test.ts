import { expect } from "vitest";
import { tamperWith } from "../../torture/tamper/tamper.ts";
import { makeDatabase, test } from "../fixtures.ts";
import { notOnCluster } from "../on-cluster.ts";
import { shortCampaign, shortTimeoutMs } from "./short.ts";

test("what nothing noticed when it was changed behind the triggers is noticed", {
  timeout: shortTimeoutMs,
}, async ({ skip }) => {
  notOnCluster({ skip }, "forgeries");
  const db = await makeDatabase("cauri_template", false);
  try {
    const seed = Date.now() % 2 ** 32;
    const { findings } = await tamperWith(shortCampaign(seed), db.url);
    expect(findings, `seed ${seed}`).toEqual([]);
  } finally {
    await db.drop();
  }
});
