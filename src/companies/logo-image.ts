import { type Logo, type LogoType, logoBytesMax, logoPixelsMax } from "./logo.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The logo that an answer holds, or why it holds none.
 *
 * Only three kinds of picture, told apart by their bytes. The size is read from the header: it shows
 * that there is a picture behind the signature, and a small file that unfolds into a huge one stays out.
 */
export function readLogo(bytes: Buffer, isCut: boolean): Logo | string {
  if (isCut || bytes.length > logoBytesMax) return "larger than 100 KB";
  const type = typeOf(bytes);
  if (type === undefined) return "neither PNG, JPEG nor WebP";
  const size = sizeReaders[type](bytes);
  if (size === undefined || size.width === 0 || size.height === 0) return "a damaged picture";
  if (size.width > logoPixelsMax || size.height > logoPixelsMax)
    return `more than ${logoPixelsMax} pixels wide or high`;
  return { type, bytes };
}

function typeOf(bytes: Buffer): LogoType | undefined {
  if (bytes.subarray(0, 8).equals(pngSignature)) return "image/png";
  if (bytes.subarray(0, 3).equals(jpegSignature)) return "image/jpeg";
  if (textAt(bytes, 0) === "RIFF" && textAt(bytes, 8) === "WEBP") return "image/webp";
  return undefined;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegSignature = Buffer.from([0xff, 0xd8, 0xff]);

const sizeReaders: Record<LogoType, (bytes: Buffer) => Size | undefined> = {
  "image/png": sizeOfPng,
  "image/jpeg": sizeOfJpeg,
  "image/webp": sizeOfWebp,
};

function sizeOfPng(bytes: Buffer): Size | undefined {
  if (bytes.length < 33 || textAt(bytes, 12) !== "IHDR") return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Walks from segment to segment until the one that begins a frame, which holds the size. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1; // Any number of 0xff may stand before a marker.
    } else if (isFrame(marker)) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    } else {
      const length = bytes.readUInt16BE(at + 2);
      if (length < 2) return undefined;
      at += 2 + length;
    }
  }
  return undefined;
}

/** SOF0 to SOF15, except the three codes in between that mean something else: DHT, JPG and DAC. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Three encodings, each with its own place for the size. */
function sizeOfWebp(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined;
  const chunk = textAt(bytes, 12);
  if (chunk === "VP8X")
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (chunk === "VP8L" && bytes[20] === 0x2f) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (chunk === "VP8 " && bytes.subarray(23, 26).equals(vp8StartCode))
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  return undefined;
}

const vp8StartCode = Buffer.from([0x9d, 0x01, 0x2a]);

function textAt(bytes: Buffer, offset: number): string {
  return bytes.toString("latin1", offset, offset + 4);
}
