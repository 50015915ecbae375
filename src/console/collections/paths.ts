import type { Charge } from "../../charges/charge.ts";

export const collectionsPath = "/console/collections";
export const newLinkPath = `${collectionsPath}/new`;

export function collectionPath({ id }: Pick<Charge, "id">): string {
  return `${collectionsPath}/${id}`;
}

export function refundPath(charge: Pick<Charge, "id">): string {
  return `${collectionPath(charge)}/refund`;
}
