/**
 * Where the document's example of an object does not fit the moment: what differs then. By the operation that answers it,
 * or by the notification that carries it.
 */
export const exampleStories: Readonly<Record<string, object>> = {
  getTransaction: { status: "completed", updatedAt: "2026-01-31T09:15:01.204Z" },
  getBatch: { status: "completed", completedCount: 1, completedAmount: 25_000 },
  getCharge: { status: "due" },
  refundCharge: paid({ status: "refunded_partially", refunded: 5_000 }),
  payCharge: paid({ status: "paid" }),
  ChargeEvent: { data: { due: 0, paid: 15_000, attempts: 1 } },
  BatchCompleted: {
    data: { completedCount: 1, completedAmount: 25_000, updatedAt: "2026-01-31T09:15:01.204Z" },
  },
};

function paid(more: object): object {
  const paidAt = "2026-01-31T09:21:40.512Z";
  return { due: 0, paid: 15_000, attempts: 1, paidAt, updatedAt: paidAt, ...more };
}

/** The example with what differs, field by field. */
export function tell(example: unknown, story: object | undefined): unknown {
  if (story === undefined || typeof example !== "object" || example === null) return example;
  const fields = Object.entries(story).map(([name, value]) => {
    const before = (example as Readonly<Record<string, unknown>>)[name];
    const isNested = typeof value === "object" && value !== null;
    return [name, isNested ? tell(before, value as object) : value];
  });
  return { ...example, ...Object.fromEntries(fields) };
}
