import type { Outcome } from "../traffic/client.ts";

export interface SentRow {
  readonly reference: string;
  readonly amount: number;
  readonly msisdn: string;
}

/** What is asked of a service. Each names itself, so that it can be sent again and found in the books. */
export type ServiceWrite =
  | { readonly kind: "transfer"; readonly rows: readonly SentRow[]; readonly key?: string }
  | { readonly kind: "batch"; readonly rows: readonly SentRow[]; readonly key?: string }
  | {
      readonly kind: "charge";
      readonly externalId: string;
      readonly amount: number;
      readonly key?: string;
    }
  | {
      readonly kind: "pay";
      readonly chargeId: string;
      readonly msisdn: string;
      readonly key?: string;
    }
  /** The amount differs between the refunds of one charge, so that each can be told from the others. */
  | {
      readonly kind: "refund";
      readonly chargeId: string;
      readonly amount: number;
      readonly key?: string;
    };

/** What an operator does by a command. */
interface Movement {
  readonly kind: "fund" | "withdraw";
  readonly reference: string;
  readonly amount: number;
}

export type Write = ServiceWrite | Movement;

export type Read =
  | { readonly kind: "read balance" | "read statement" | "list transfers" }
  | { readonly kind: "read transfer"; readonly id: string }
  | { readonly kind: "find transfer"; readonly reference: string }
  | { readonly kind: "read charge"; readonly id: string }
  | { readonly kind: "pull events"; readonly after: number };

export type Act = Write | Read | { readonly kind: "freeze" | "unfreeze" };

/** One invocation and what became of it. Times are milliseconds of one clock that never goes back. */
export interface Operation {
  readonly id: number;
  readonly client: string;
  readonly node: string;
  readonly company: string;
  readonly act: Act;
  readonly begunMs: number;
  /** Infinity: nothing was heard before the end of the campaign. */
  readonly endedMs: number;
  readonly outcome: Outcome;
}

/** A notification as it arrived. */
export interface Told {
  readonly company: string;
  readonly atMs: number;
  readonly message: string;
  /** Of the bytes of its body. */
  readonly digest: string;
}

export function isWrite(act: Act): act is Write {
  return (
    act.kind === "transfer" ||
    act.kind === "batch" ||
    act.kind === "charge" ||
    act.kind === "pay" ||
    act.kind === "refund" ||
    act.kind === "fund" ||
    act.kind === "withdraw"
  );
}

/** What all tries of one request have in common. A payment without a key is a request of its own each time. */
export function nameOf(id: number, act: Write): string {
  switch (act.kind) {
    case "transfer":
    case "batch":
      return `${act.kind} ${act.rows[0]?.reference}`;
    case "charge":
      return `charge ${act.externalId}`;
    case "pay":
      return `payment ${act.key ?? id} of ${act.chargeId}`;
    case "refund":
      return `refund of ${act.amount} of ${act.chargeId}`;
    case "fund":
    case "withdraw":
      break;
  }
  return `${act.kind} ${act.reference}`;
}
