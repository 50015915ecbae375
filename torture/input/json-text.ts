/** A piece of JSON text that is written as it is: what no serialiser would write. */
export class RawJson {
  readonly bytes: Buffer;

  constructor(text: string | Buffer) {
    this.bytes = typeof text === "string" ? Buffer.from(text) : text;
  }
}

/** JSON as bytes. Like JSON.stringify, except for the raw pieces in it. */
export function toJsonBytes(value: unknown): Buffer {
  const parts: Buffer[] = [];
  write(value, parts);
  return Buffer.concat(parts);
}

function write(value: unknown, parts: Buffer[]): void {
  if (value instanceof RawJson) parts.push(value.bytes);
  else if (Array.isArray(value)) writeList("[", "]", value, parts, (item) => write(item, parts));
  else if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
    writeList("{", "}", members, parts, ([name, inner]) => {
      parts.push(Buffer.from(`${JSON.stringify(name)}:`));
      write(inner, parts);
    });
  } else parts.push(Buffer.from(JSON.stringify(value) ?? "null"));
}

function writeList<Item>(
  open: string,
  close: string,
  items: readonly Item[],
  parts: Buffer[],
  writeItem: (item: Item) => void,
): void {
  parts.push(Buffer.from(open));
  for (const [index, item] of items.entries()) {
    if (index > 0) parts.push(Buffer.from(","));
    writeItem(item);
  }
  parts.push(Buffer.from(close));
}
