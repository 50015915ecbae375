const masterKeyBytes = 32;

/** One key or several, with commas or white space between them; undefined when one of them is none. */
export function parseMasterKeys(text: string): readonly Buffer[] | undefined {
  const keys = text
    .split(/[\s,]+/)
    .filter((word) => word !== "")
    .map(parseMasterKey);
  return keys.length > 0 && keys.every((key) => key !== undefined) ? keys : undefined;
}

function parseMasterKey(text: string): Buffer | undefined {
  const key = /^[0-9a-fA-F]{64}$/.test(text)
    ? Buffer.from(text, "hex")
    : Buffer.from(text, "base64");
  return key.length === masterKeyBytes ? key : undefined;
}
