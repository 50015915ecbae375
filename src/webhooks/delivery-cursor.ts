import { parsePageRequest, toCursor } from "../kernel/page.ts";
import type { DeliveryPageRequest } from "./deliveries.ts";

const eventNumberShape = /^[0-9]{1,15}$/;

/** Deliveries are ordered by event number; in a cursor it stands where other lists have an id. */
export function toDeliveryCursor(
  companyId: string,
  direction: "older" | "newer",
  eventNumber: number,
): string {
  return toCursor({ name: "deliveries", companyId }, direction, String(eventNumber));
}

export function parseDeliveryCursor(
  companyId: string,
  query: { readonly limit?: number; readonly cursor?: string },
): DeliveryPageRequest {
  const list = { name: "deliveries", companyId };
  const { limit, from } = parsePageRequest(list, query, eventNumberShape);
  if (from === undefined) return { limit };
  return from.direction === "older"
    ? { limit, before: Number(from.id) }
    : { limit, after: Number(from.id) };
}
