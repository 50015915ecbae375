import type { Rule } from "../approvals/rules.ts";
import type { CompanyRole } from "../staff/roles.ts";

export const requestIdPrefix = "req";

export type RequestState = "open" | "confirmed" | "refused" | "withdrawn" | "expired";

interface RequestFacts {
  readonly id: string;
  readonly companyId: string;
  readonly requestedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly state: RequestState;
  readonly decidedBy: string | null;
  readonly decidedOperator: string | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
}

/** What one owner has asked for and a second one, or the operator, has to confirm. */
export type AccessRequest = RequestFacts &
  (
    | {
        readonly kind: "membership" | "role";
        readonly personId: string;
        /** Null: the person is no member yet. */
        readonly fromRole: CompanyRole | null;
        readonly toRole: CompanyRole;
      }
    | {
        readonly kind: Rule;
        /** In francs; null: without a limit. */
        readonly fromAmount: number | null;
        readonly toAmount: number | null;
      }
  );

/** Whom a request concerns; undefined: a rule of the company. */
export function subjectOf(request: AccessRequest): string | undefined {
  return "personId" in request ? request.personId : undefined;
}
