import type { ErrorDetail } from "../kernel/domain-error.ts";
import { hasInexactNumber } from "./parse-json.ts";

const metadataBytesMax = 16 * 1024;

/** Metadata as it is kept. Null for anything but an object: what is of the wrong type, the schema has already found. */
export function metadataText(metadata: unknown): string | null {
  return typeof metadata === "object" && metadata !== null ? JSON.stringify(metadata) : null;
}

export function metadataTooLarge(text: string | null): ErrorDetail[] {
  if (text === null || Buffer.byteLength(text) <= metadataBytesMax) return [];
  return [
    {
      field: "metadata",
      code: "too_large",
      message: {
        en: `metadata is too large; it must be at most ${metadataBytesMax} bytes as JSON.`,
        fr: `metadata est trop volumineux. Valeur attendue\u00a0: ${metadataBytesMax} octets de JSON au plus.`,
      },
    },
  ];
}

/** Refuses metadata with a number that could not be returned exactly as it was given. */
export function metadataInexact(
  body: unknown,
  rows: readonly ({ readonly metadata?: unknown } | null | undefined)[],
): ErrorDetail[] {
  if (!hasInexactNumber(body) || rows.every((row) => row?.metadata == null)) return [];
  return [
    {
      field: "metadata",
      code: "invalid",
      message: {
        en: "metadata holds a number that cannot be kept exactly; send it as text.",
        fr: "metadata contient un nombre qui ne peut pas être conservé exactement. Envoyez-le comme du texte.",
      },
    },
  ];
}
