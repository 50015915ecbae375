/** Which span a new one continues: what the header `traceparent` says of a trace that is recorded. */
export interface SpanContext {
  /** 32 and 16 hexadecimal digits. */
  readonly traceId: string;
  readonly spanId: string;
}

/** W3C Trace Context, level 1. A later version may say more behind what this one knows. */
const hexadecimal = /^[0-9a-f]+$/;
const fieldLengths = [2, 32, 16, 2];
const lengthMax = 512;

/** What the header says, and whether its sender records the trace; undefined when it says nothing that can be used. */
export function parseTraceparent(
  header: string | undefined,
): (SpanContext & { readonly isSampled: boolean }) | undefined {
  if (header === undefined || header.length > lengthMax) return undefined;
  const [version = "", traceId = "", spanId = "", flags = "", more] = header.split("-", 5);
  const fields = [version, traceId, spanId, flags];
  const isWellFormed = fields.every(
    (field, place) => field.length === fieldLengths[place] && hexadecimal.test(field),
  );
  if (!isWellFormed) return undefined;
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Of a trace that is recorded: others are passed on to nobody. */
export function toTraceparent({ traceId, spanId }: SpanContext): string {
  return `00-${traceId}-${spanId}-01`;
}
