import { InvalidCursor } from "../kernel/errors.ts";
import { toUuid } from "../kernel/ids.ts";
import { parsePageRequest, toCursor } from "../kernel/page.ts";
import type { DeliveryPageRequest } from "./deliveries.ts";

/** Deliveries are ordered by event number; in a cursor it stands where other lists have an id. */
export function toDeliveryCursor(
  companyId: string,
  direction: "older" | "newer",
  eventNumber: number,
): string {
  return toCursor(
    { name: "deliveries", companyId },
    direction,
    toUuid(eventNumber.toString(16).padStart(32, "0")),
  );
}

export function parseDeliveryCursor(
  companyId: string,
  query: { readonly limit?: number; readonly cursor?: string },
): DeliveryPageRequest {
  const { limit, from } = parsePageRequest({ name: "deliveries", companyId }, query);
  if (from === undefined) return { limit };
  const eventNumber = Number.parseInt(from.id.replaceAll("-", ""), 16);
  if (!Number.isSafeInteger(eventNumber)) throw new InvalidCursor();
  return from.direction === "older"
    ? { limit, before: eventNumber }
    : { limit, after: eventNumber };
}
