import type { HeldScope } from "../../approvals/held.ts";
import { parsePublicId, parseUuid, toPublicId } from "../../kernel/ids.ts";

export const heldPath = "/console/approvals/held";

/** How an address or a form names a scope. */
export function scopeFields(scope: HeldScope): Record<string, string> {
  if (scope.kind === "batch") return { batch: toPublicId("bat", scope.batchId) };
  if (scope.kind === "transfer") return { transaction: toPublicId("txn", scope.transferId) };
  return scope.upto === undefined ? {} : { upto: scope.upto };
}

/** The page of a scope, as it is now. */
export function reviewPath(scope: HeldScope): string {
  const fields = scopeFields(scope.kind === "oldest" ? { kind: "oldest" } : scope);
  const [field] = Object.entries(fields);
  return field === undefined ? heldPath : `${heldPath}?${field.join("=")}`;
}

/** Undefined: it names something that cannot be. */
export function readScope(fields: URLSearchParams): HeldScope | undefined {
  const [batch, transaction, upto] = ["batch", "transaction", "upto"].map((name) =>
    fields.get(name),
  );
  if (batch != null) {
    const batchId = parsePublicId("bat", batch);
    return batchId === undefined ? undefined : { kind: "batch", batchId };
  }
  if (transaction != null) {
    const transferId = parsePublicId("txn", transaction);
    return transferId === undefined ? undefined : { kind: "transfer", transferId };
  }
  if (upto == null) return { kind: "oldest" };
  const last = parseUuid(upto);
  return last === undefined ? undefined : { kind: "oldest", upto: last };
}
