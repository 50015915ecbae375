import type { ErrorDetail } from "../kernel/domain-error.ts";

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
