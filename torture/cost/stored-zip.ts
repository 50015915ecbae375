import { crc32 } from "node:zlib";

const headerBytes = 30;
const entryBytes = 46;
const endBytes = 22;
const version = 20;

/** An archive of parts as they are. In linear time, for archives of very many parts, which the library needs minutes for. */
export function storedZip(parts: Readonly<Record<string, string>>): Buffer {
  const files: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(parts)) {
    const [path, content] = [Buffer.from(name), Buffer.from(text)];
    const header = Buffer.alloc(headerBytes);
    header.writeUInt32LE(0x04034b50, 0);
    writeFacts(header, 4, path, content);
    const entry = Buffer.alloc(entryBytes);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(version, 4);
    writeFacts(entry, 6, path, content);
    entry.writeUInt32LE(offset, 42);
    files.push(header, path, content);
    entries.push(entry, path);
    offset += headerBytes + path.length + content.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(endBytes);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length / 2, 8);
  end.writeUInt16LE(entries.length / 2, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, directory, end]);
}

/** What a header and an entry of the directory have in common. */
function writeFacts(target: Buffer, at: number, path: Buffer, content: Buffer): void {
  target.writeUInt16LE(version, at);
  target.writeUInt32LE(crc32(content), at + 10);
  target.writeUInt32LE(content.length, at + 14);
  target.writeUInt32LE(content.length, at + 18);
  target.writeUInt16LE(path.length, at + 22);
}
