import { expect } from "vitest";
import { attackIsolation, isolation } from "../../torture/isolation/isolation.ts";
import { auditDifferences, makeCompany, test } from "../fixtures.ts";
import { shortCampaign, shortTimeoutMs } from "./short.ts";

test(isolation.promises, { timeout: shortTimeoutMs }, async ({ db, service }) => {
  const { counts, findings } = await attackIsolation(shortCampaign(1), {
    url: service.url,
    database: db.database,
    makeCompany: (request) => makeCompany(db.database, request),
    auditFindings: async () =>
      (await auditDifferences(db.database)).map((difference) => JSON.stringify(difference)),
  });

  expect(findings).toEqual([]);
  expect(counts["tries"]).toBeGreaterThan(900);
});
