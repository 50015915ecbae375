import { readFile, stat } from "node:fs/promises";
import { InvalidConfiguration } from "../../../kernel/errors.ts";
import {
  type Headers,
  headerLinesOf,
  ownHeader,
  readHeaderLine,
} from "../../../webhooks/signature-headers.ts";
import { FileNotReadable } from "../../errors.ts";
import { readable } from "../../files.ts";

export interface SignatureOptions {
  readonly header?: readonly string[];
  readonly headers?: string;
  readonly signature?: string;
  readonly timestamp?: string;
  readonly id?: string;
}

const fileMax = 64 * 1_024;

/** Those of a file, then those of -H, then the short forms; the later wins. */
export async function readHeaders(options: SignatureOptions): Promise<Headers> {
  const { header = [], headers: file, signature, timestamp, id } = options;
  const found: Record<string, string> = {};
  const lines = [...(file === undefined ? [] : await linesOf(file)), ...header];
  for (const line of lines) {
    const one = readHeaderLine(line);
    if (one === undefined)
      throw new InvalidConfiguration([
        `${JSON.stringify(line)} is no header: write "name: value".`,
      ]);
    found[one[0]] = one[1];
  }
  const isStandard = signature?.startsWith("v1,") === true;
  if (signature !== undefined)
    found[isStandard ? "webhook-signature" : (ownHeader(found) ?? "x-service-hmac-sha256")] =
      signature;
  if (timestamp !== undefined) found["webhook-timestamp"] = timestamp;
  if (id !== undefined) found["webhook-id"] = id;
  return found;
}

async function linesOf(file: string): Promise<string[]> {
  await readable(file);
  if ((await stat(file)).size > fileMax) throw new FileNotReadable(file);
  return headerLinesOf(await readFile(file, "utf8"));
}
