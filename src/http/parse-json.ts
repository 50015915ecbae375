import { isUtf8 } from "node:buffer";
import { Turns } from "../kernel/turns.ts";
import { ForbiddenName, InvalidJson, NotJson, RepeatedName } from "./json/errors.ts";
import { JsonLocator } from "./json/locate-json.ts";
import { type BodyShape, JsonScan, type RowsPlace } from "./scan-json.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** How much the body of this route may hold; without it, what `parseJson` takes for granted. */
    readonly bodyShape?: BodyShape;
  }
}

/** More than 16 KB of metadata can hold. */
const plainShape: BodyShape = { valuesMax: 20_000, allValuesMax: 20_000 };
/** A body up to this size is read at once, as nearly all are. */
const smallBytes = 16 * 1024;

/**
 * A request body as a value. Empty is no body, whatever the content type says. Bytes that are not UTF-8
 * are refused, not replaced. A large body is read in turns, so that nobody else waits for it, and is a promise; a small one
 * is there at once, because a promise for every request would cost more than reading it.
 */
export function parseJson(body: Buffer, shape = plainShape): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw new InvalidJson();
  const scan = new JsonScan(body, shape);
  if (body.length > smallBytes)
    return parseInTurns(body, scan).catch((error: unknown) => locateInTurns(body, error));
  try {
    return parseAtOnce(body, scan);
  } catch (error) {
    const locator = locatorOf(body, error);
    while (!locator.isDone) locator.goOn();
    throw locator.problem;
  }
}

/** Throws what was wrong, with its place if it was no JSON. */
async function locateInTurns(body: Buffer, error: unknown): Promise<never> {
  const locator = locatorOf(body, error);
  const turns = new Turns();
  while (!locator.isDone) {
    locator.goOn();
    if (turns.isOver) await turns.next();
  }
  throw locator.problem;
}

function locatorOf(body: Buffer, error: unknown): JsonLocator {
  if (error instanceof NotJson) return new JsonLocator(body);
  throw error;
}

function parseAtOnce(body: Buffer, scan: JsonScan): unknown {
  while (!scan.isDone) scan.goOn();
  const value = parseText(body.toString("utf8"));
  if (countNames(value) !== scan.names) throw new RepeatedName();
  return value;
}

async function parseInTurns(body: Buffer, scan: JsonScan): Promise<unknown> {
  const turns = new Turns();
  await turns.next();
  while (!scan.isDone) {
    scan.goOn();
    if (turns.isOver) await turns.next();
  }
  const { rows } = scan;
  if (rows === undefined || rows.cuts.length === 0) return parseAtOnce(body, scan);

  const frame = parseText(
    body.toString("utf8", 0, rows.start) + body.toString("utf8", rows.end),
  ) as Record<string, unknown>;
  const list = frame[rows.field] as unknown[];
  let names = countNames(frame);
  for (const [start, end] of piecesOf(rows)) {
    if (turns.isOver) await turns.next();
    const piece = parseText(`[${body.toString("utf8", start, end)}]`) as unknown[];
    // Between two commas, or after the last, there is nothing.
    if (piece.length === 0) throw new NotJson();
    names += countNames(piece);
    for (const row of piece) list.push(row);
  }
  if (names !== scan.names) throw new RepeatedName();
  return frame;
}

function* piecesOf({ start, end, cuts }: RowsPlace): Iterable<readonly [number, number]> {
  let from = start;
  for (const cut of cuts) {
    yield [from, cut];
    from = cut + 1;
  }
  yield [from, end];
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new NotJson(undefined, { cause: error });
  }
}

/**
 * Of a name that stands twice in an object the parser keeps the last: then there are fewer names in the value than
 * in the text. Names that would reach what all objects share are refused on the way.
 */
function countNames(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const one of value) count += countNames(one);
    return count;
  }
  const fields = value as Record<string, unknown>;
  for (const name in fields) {
    const inner = fields[name];
    if (name === "__proto__") throw new ForbiddenName(name);
    if (name === "constructor" && hasPrototype(inner)) throw new ForbiddenName("prototype");
    count += 1 + countNames(inner);
  }
  return count;
}

function hasPrototype(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "prototype");
}
