import sax from "sax";
import { UnreadableFile } from "./errors.ts";

/** Far more than a workbook has, and far less than would be a burden. */
const depthMax = 100;
const attributesMax = 200;
/** Excel allows formats, names and addresses of parts no more; a longer attribute is none that is read here. */
const attributeCharsMax = 255;

/** What is told about a document, in its order. Names come without their prefix. */
export interface XmlListener {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  /** A long text comes in several pieces. */
  text?(piece: string): void;
  close?(name: string): void;
}

/**
 * Reads a document piece by piece and yields after each, so that the caller can pass on what it has heard.
 * Entities beyond the five of XML itself do not exist here: a document that declares any is refused.
 */
export async function* readXml(
  chunks: AsyncIterable<Buffer>,
  part: string,
  listener: XmlListener,
): AsyncGenerator<void> {
  const parser = listeningParser(listener);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const chunk of chunks) {
    tell(part, () => parser.write(decoder.decode(chunk, { stream: true })));
    yield;
  }
  tell(part, () => parser.write(decoder.decode()).close());
  yield;
}

/** Reads a whole document, for what the listener keeps of it. */
export async function hearXml(
  chunks: AsyncIterable<Buffer>,
  part: string,
  listener: XmlListener,
): Promise<void> {
  for await (const _ of readXml(chunks, part, listener));
}

function tell(part: string, parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw UnreadableFile.broken(part, { cause: error });
  }
}

function listeningParser(listener: XmlListener): sax.SAXParser {
  let depth = 0;
  let attributes = 0;
  const tooLong: string[] = [];
  return Object.assign(sax.parser(true, { strictEntities: true } as sax.SAXOptions), {
    onerror(error: Error) {
      throw error;
    },
    ondoctype() {
      throw new Error("a document type is declared");
    },
    onattribute({ name, value }: { readonly name: string; readonly value: string }) {
      attributes += 1;
      if (attributes > attributesMax) throw new Error("too many attributes");
      if (value.length > attributeCharsMax) tooLong.push(name);
    },
    onopentag(tag: sax.Tag | sax.QualifiedTag) {
      attributes = 0;
      if (tooLong.length > 0) for (const name of tooLong.splice(0)) delete tag.attributes[name];
      depth += 1;
      if (depth > depthMax) throw new Error("nested too deeply");
      listener.open?.(withoutPrefix(tag.name), tag.attributes as Record<string, string>);
    },
    onclosetag(name: string) {
      depth -= 1;
      listener.close?.(withoutPrefix(name));
    },
    ontext: (piece: string) => listener.text?.(piece),
    oncdata: (piece: string) => listener.text?.(piece),
  });
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
