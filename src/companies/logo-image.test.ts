import { describe, expect, test } from "vitest";
import { padded, pictures } from "../../test/pictures.ts";
import { logoBytesMax } from "./logo.ts";
import { readLogo } from "./logo-image.ts";

describe("a logo", () => {
  test.for([
    ["png", "image/png"],
    ["jpeg", "image/jpeg"],
    ["webpLossy", "image/webp"],
    ["webpLossless", "image/webp"],
    ["webpAlpha", "image/webp"],
  ] as const)("%s is %s", ([name, type]) => {
    expect(readLogo(pictures[name], false)).toEqual({ type, bytes: pictures[name] });
  });

  test("may have 100 KB, and not one byte more", () => {
    const largest = padded(pictures.png, logoBytesMax);

    expect(readLogo(largest, false)).toMatchObject({ type: "image/png" });
    expect(readLogo(padded(pictures.png, logoBytesMax + 1), false)).toBe("larger than 100 KB");
    expect(readLogo(largest, true)).toBe("larger than 100 KB");
  });

  const sizes: Record<string, (width: number, height: number) => Buffer> = {
    png: (width, height) =>
      changed(pictures.png, (bytes) => {
        bytes.writeUInt32BE(width, 16);
        bytes.writeUInt32BE(height, 20);
      }),
    jpeg: (width, height) =>
      changed(pictures.jpeg, (bytes) => {
        const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
        bytes.writeUInt16BE(height, frame + 5);
        bytes.writeUInt16BE(width, frame + 7);
      }),
    webpLossy: (width, height) =>
      changed(pictures.webpLossy, (bytes) => {
        bytes.writeUInt16LE(width, 26);
        bytes.writeUInt16LE(height, 28);
      }),
    webpLossless: (width, height) =>
      changed(pictures.webpLossless, (bytes) => {
        bytes.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 21);
      }),
    webpAlpha: (width, height) =>
      changed(pictures.webpAlpha, (bytes) => {
        bytes.writeUIntLE(width - 1, 24, 3);
        bytes.writeUIntLE(height - 1, 27, 3);
      }),
  };
  test.for(Object.entries(sizes))("%s: at most 4096 pixels each way", ([, make]) => {
    expect(readLogo(make(4_096, 4_096), false)).toMatchObject({ bytes: expect.any(Buffer) });
    for (const [width, height] of [
      [4_097, 1],
      [1, 4_097],
      [16_000, 16_000],
    ] as const)
      expect(readLogo(make(width, height), false)).toBe("more than 4096 pixels wide or high");
  });

  test.for([
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ["SVG with a declaration", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ["HTML", "<!doctype html><script>alert(1)</script>"],
    ["GIF", "GIF89a\u0001\u0000\u0001\u0000"],
    ["BMP", "BM"],
    ["an icon", "\u0000\u0000\u0001\u0000"],
    ["a PDF", "%PDF-1.7"],
    ["a sound in the same wrapping as WebP", "RIFF\u0024\u0000\u0000\u0000WAVEfmt "],
    ["nothing", ""],
  ])("%s is none", ([, text]) => {
    expect(readLogo(Buffer.from(text ?? "", "latin1"), false)).toBe("neither PNG, JPEG nor WebP");
  });

  test("is none with a picture's signature alone, however it is cut", () => {
    for (const [name, picture] of Object.entries(pictures)) {
      for (let length = 0; length < picture.length; length += 1) {
        const logo = readLogo(picture.subarray(0, length), false);
        // From some length on the header is whole; before that there is no picture, and never an error.
        if (typeof logo !== "string") expect(length, name).toBeGreaterThanOrEqual(20);
      }
      expect(readLogo(picture.subarray(0, 16), false), name).toEqual(expect.any(String));
    }
    const script = Buffer.concat([pictures.png.subarray(0, 8), Buffer.from("<script>".repeat(9))]);
    expect(readLogo(script, false)).toBe("a damaged picture");
    expect(readLogo(padded(pictures.jpeg.subarray(0, 4), 1_000), false)).toBe("a damaged picture");
  });

  test("of no width or no height is none", () => {
    expect(readLogo(sizes["png"]?.(0, 24) ?? Buffer.alloc(0), false)).toBe("a damaged picture");
    expect(readLogo(sizes["jpeg"]?.(40, 0) ?? Buffer.alloc(0), false)).toBe("a damaged picture");
  });
});

function changed(picture: Buffer, change: (bytes: Buffer) => void): Buffer {
  const copy = Buffer.from(picture);
  change(copy);
  return copy;
}
