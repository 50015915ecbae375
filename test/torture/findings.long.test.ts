import { expect, test } from "vitest";
import { findings } from "../../torture/findings/findings.ts";
import { shortCampaign, shortTimeoutMs } from "./short.ts";

test(findings.promises, { timeout: shortTimeoutMs }, async () => {
  const report = await findings.run(shortCampaign(1));

  expect(report.findings).toEqual([]);
  expect(report.counts).toEqual({ held: 21, fell: 0, untried: 0 });
});
