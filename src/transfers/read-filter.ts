import { type Static, Type } from "typebox";
import { readMoment } from "../http/moment.ts";
import { ListQuery, MomentQuery, MsisdnFilter } from "../http/schemas.ts";
import { parsePublicId } from "../kernel/ids.ts";
import { toDigits } from "../kernel/msisdn.ts";
import { idRangeOf } from "../kernel/service-reference.ts";
import type { TransferFilter } from "./store.ts";
import { type Transfer, transferStatuses } from "./transfer.ts";

export const TransferQuery = Type.Object({
  ...ListQuery,
  reference: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  serviceTransactionReference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: "What the recipient sees, with or without its hyphens, in any letter case.",
    }),
  ),
  status: Type.Optional(
    Type.Unsafe<Transfer["status"]>({ type: "string", enum: [...transferStatuses] }),
  ),
  msisdn: Type.Optional(MsisdnFilter),
  batchId: Type.Optional(Type.String({ maxLength: 100 })),
  subCompanyId: Type.Optional(Type.String({ maxLength: 100 })),
  createdFrom: Type.Optional(MomentQuery),
  createdTo: Type.Optional(MomentQuery),
});

/** Undefined when a filter names an id that cannot exist: then nothing matches. */
export function readFilter(query: Static<typeof TransferQuery>): TransferFilter | undefined {
  const batchId = query.batchId === undefined ? undefined : parsePublicId("bat", query.batchId);
  const subCompanyId =
    query.subCompanyId === undefined ? undefined : parsePublicId("subco", query.subCompanyId);
  if (query.batchId !== undefined && batchId === undefined) return undefined;
  if (query.subCompanyId !== undefined && subCompanyId === undefined) return undefined;
  const { serviceTransactionReference } = query;
  const idRange =
    serviceTransactionReference === undefined ? undefined : idRangeOf(serviceTransactionReference);
  if (serviceTransactionReference !== undefined && idRange === undefined) return undefined;
  // Text the database cannot hold is in no reference either.
  if (query.reference?.includes("\u0000") === true) return undefined;
  return {
    ...(query.reference === undefined ? {} : { reference: query.reference }),
    ...(idRange === undefined ? {} : { idRange }),
    ...(query.status === undefined ? {} : { status: query.status }),
    ...(query.msisdn === undefined ? {} : { msisdn: toDigits(query.msisdn.trim()) }),
    ...(batchId === undefined ? {} : { batchId }),
    ...(subCompanyId === undefined ? {} : { subCompanyId }),
    ...(query.createdFrom === undefined
      ? {}
      : { createdFrom: readMoment("createdFrom", query.createdFrom) }),
    ...(query.createdTo === undefined
      ? {}
      : { createdTo: readMoment("createdTo", query.createdTo) }),
  };
}
