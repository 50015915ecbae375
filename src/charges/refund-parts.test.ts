import { expect } from "vitest";
import { ChargeClient } from "../../test/charges.ts";
import { auditDifferences, startService, test } from "../../test/fixtures.ts";

test("422: a charge is refunded in so many parts, and the last one is all that is left", async ({
  db,
  company,
}) => {
  const service = await startService(db, { REFUNDS_PER_CHARGE_MAX: "4" });
  try {
    const charges = new ChargeClient(service, company);
    const id = await charges.paid();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => charges.refund(id, { amount: 1 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused).toHaveLength(9);
    for (const { body } of refused) {
      expect(body.code).toBe("too_many_refunds");
      expect(body.message).toContain("4 parts");
      expect(body.message).toContain("9997 XOF");
    }
    const last = await charges.refund(id);
    expect([last.status, last.body.status, last.body.refunded]).toEqual([200, "refunded", 10_000]);
    expect(await auditDifferences(db.database)).toEqual([]);
  } finally {
    await service.stop();
  }
});
