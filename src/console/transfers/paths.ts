import { toPublicId } from "../../kernel/ids.ts";
import type { Transfer } from "../../transfers/transfer.ts";

export const transfersPath = "/console/transfers";
export const newTransferPath = `${transfersPath}/new`;

export function transferPath({ id }: Pick<Transfer, "id">): string {
  return `${transfersPath}/${toPublicId("txn", id)}`;
}
