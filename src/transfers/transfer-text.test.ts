import fc from "fast-check";
import { expect, test } from "vitest";
import { newNonce, orderedId } from "../kernel/ordered-id.ts";
import { failureReasons, type Transfer } from "./transfer.ts";
import { toTransferResource } from "./transfer-resource.ts";
import { toTransferText } from "./transfer-text.ts";

const text = fc.string({ unit: "binary" });
const moments = fc.date({
  min: new Date("2020-01-01"),
  max: new Date("2200-01-01"),
  noInvalidDate: true,
});
// Not by newUuid, which never goes back: whoever asks it next would be given the latest of these moments.
const uuids = moments.map((moment) => orderedId(moment.getTime(), 0, newNonce()));
const transfers: fc.Arbitrary<Transfer> = fc
  .record({
    id: uuids,
    reference: text,
    msisdn: text,
    amount: fc.maxSafeNat().map((amount) => Math.floor(amount / 2)),
    fee: fc.nat(),
    description: fc.option(text),
    // As the request's own object was written down when it came.
    metadata: fc.option(
      fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value)),
    ),
    subCompanyId: fc.option(uuids),
    batchId: fc.option(uuids),
  })
  .chain((facts) =>
    fc.oneof(
      fc.constant({ ...facts, status: "pending" as const, failureReason: null, endedAt: null }),
      moments.map((endedAt) => ({
        ...facts,
        status: "completed" as const,
        failureReason: null,
        endedAt,
      })),
      fc.tuple(moments, fc.constantFrom(...failureReasons)).map(([endedAt, failureReason]) => ({
        ...facts,
        status: "failed" as const,
        failureReason,
        endedAt,
      })),
    ),
  );

test("the text of a transfer is the JSON of its resource, to the byte", () => {
  fc.assert(
    fc.property(transfers, (transfer) => {
      expect(toTransferText(transfer)).toBe(JSON.stringify(toTransferResource(transfer)));
    }),
    { numRuns: 500 },
  );
});
