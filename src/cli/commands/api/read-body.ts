import { readFile, stat } from "node:fs/promises";
import { BodyNotJson } from "../../errors.ts";
import { readable } from "../../files.ts";
import { readStandardInput } from "../../prompt.ts";

export interface Body {
  /** As it was written, byte for byte. */
  readonly text: string;
  readonly value: object;
}

/** More than the service takes. */
const bytesMax = 16 * 1_024 * 1_024;

/** What stands in the argument, in a file (@file) or on standard input (-). Throws BodyNotJson. */
export async function readRequestBody(data: string): Promise<Body> {
  const text = await readText(data);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\.$/, "") : "it is no JSON";
    throw new BodyNotJson(text.trim() === "" ? "it is empty" : why, { cause: error });
  }
  if (typeof value !== "object" || value === null)
    throw new BodyNotJson("it is a single value of JSON");
  return { text, value };
}

async function readText(data: string): Promise<string> {
  if (data === "-") {
    const input = await readStandardInput(bytesMax);
    if (input === undefined) throw tooLarge();
    return input.toString("utf8");
  }
  if (!data.startsWith("@")) return data;
  const file = data.slice(1);
  await readable(file);
  if ((await stat(file)).size > bytesMax) throw tooLarge();
  return readFile(file, "utf8");
}

function tooLarge(): BodyNotJson {
  return new BodyNotJson(`it has more than ${bytesMax} bytes`);
}
