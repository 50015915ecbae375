import { toVisible } from "../../../kernel/visible.ts";
import type { Clock } from "../../clock.ts";
import { toFrancs } from "../../table.ts";

/** As `GET /v1/events` tells it. */
export interface ToldEvent {
  readonly sequence: number;
  readonly topic: string;
  readonly createdAt: string;
  readonly payload: { readonly data: object };
}

/** One line: when, what, how much, whose name for it, and why not. Each topic has some of these. */
export function describeEvent(
  { sequence, topic, createdAt, payload }: ToldEvent,
  clock: Clock,
): string {
  const data = payload.data as Readonly<Record<string, unknown>>;
  const amount = data["amount"] ?? data["totalAmount"];
  const words = [
    data["status"],
    typeof amount === "number" ? toFrancs(amount) : undefined,
    data["failureReason"] ?? data["droppedReason"],
    data["reference"] ?? data["externalId"],
    data["id"],
  ].filter((word) => typeof word === "string" && word !== "");
  const place = String(sequence).padStart(6);
  return toVisible(`${place}  ${clock.show(createdAt)}  ${[topic, ...words].join("  ")}`);
}
