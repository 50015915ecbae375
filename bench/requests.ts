/** People in the book of every bench database; requests pay them in turn. */
export const customersMax = 5_000;

const digits = 10;
const customerDigits = 6;
const referenceHole = "R".repeat(digits);
const customerHole = "C".repeat(customerDigits);
const zero = 0x30;

let numbersUsed = 0;

/** A number nobody has used before in this run: what makes a reference unique. */
function nextNumber(): number {
  numbersUsed += 1;
  return numbersUsed;
}

/** One transfer as callers send it; the holes are filled with digits of the same length. */
const transfer = {
  type: "transfer",
  amount: 25_000,
  msisdn: `+2250710${customerHole}`,
  reference: `salary-${referenceHole}`,
  description: "January salary",
  metadata: { employee: "117" },
};

/** One request to be paid. */
const charge = {
  amount: 25_000,
  externalId: `order-${referenceHole}`,
  description: "Order of January",
  onCanceledRedirectionUrl: "https://shop.example/canceled",
  onCompletedRedirectionUrl: "https://shop.example/completed",
  metadata: { basket: "117" },
};

/** What a caller sends: nothing for a page, a body with holes for what is created. */
export const bodies = {
  page: undefined,
  charge: JSON.stringify(charge),
  transfers: (rows: number) =>
    JSON.stringify(
      rows > 1 ? { transactions: Array.from({ length: rows }, () => transfer) } : transfer,
    ),
};

/** The next transfer as an object, for whoever does not speak HTTP. */
export function nextTransfer(): Transfer {
  return transferOf(nextNumber());
}

export type Transfer = typeof transfer;

/** For whoever counts by itself: the next number is for the next person. */
export function transferOf(number: number): Transfer {
  return {
    ...transfer,
    msisdn: transfer.msisdn.replace(customerHole, toDigits(number % customersMax, customerDigits)),
    reference: transfer.reference.replace(referenceHole, toDigits(number, digits)),
  };
}

function toDigits(number: number, width: number): string {
  return number.toString().padStart(width, "0");
}

/**
 * A whole HTTP request as bytes. Before each send only the digits of its references and recipients are
 * written over, because a load generator that builds its requests anew is busier than the server it loads.
 */
export class RequestBytes {
  readonly #bytes: Buffer;
  readonly #references: readonly number[];
  readonly #customers: readonly number[];

  private constructor(bytes: Buffer, references: readonly number[], customers: readonly number[]) {
    this.#bytes = bytes;
    this.#references = references;
    this.#customers = customers;
  }

  static of(url: URL, token: string, body: string | undefined): RequestBytes {
    const head = headOf(url, token, body);
    const bytes = Buffer.from(head + (body ?? ""));
    return new RequestBytes(
      bytes,
      placesOf(bytes, referenceHole, head.length),
      placesOf(bytes, customerHole, head.length),
    );
  }

  /** Each connection writes into bytes of its own: those of another may still be on their way. */
  copy(): RequestBytes {
    return new RequestBytes(Buffer.from(this.#bytes), this.#references, this.#customers);
  }

  /** The next request: the same bytes with numbers that were never used. */
  next(): Buffer {
    for (const [row, place] of this.#references.entries()) {
      const number = nextNumber();
      writeDigits(this.#bytes, place, digits, number);
      const customer = this.#customers[row];
      if (customer !== undefined)
        writeDigits(this.#bytes, customer, customerDigits, number % customersMax);
    }
    return this.#bytes;
  }
}

function headOf(url: URL, token: string, body: string | undefined): string {
  // Pages are for everybody, the API is not.
  const isPublic = body === undefined && !url.pathname.startsWith("/v1/");
  return (
    `${body === undefined ? "GET" : "POST"} ${url.pathname}${url.search} HTTP/1.1\r\n` +
    `Host: ${url.host}\r\nConnection: keep-alive\r\n` +
    (isPublic ? "" : `Authorization: Bearer ${token}\r\n`) +
    (body === undefined
      ? "\r\n"
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`)
  );
}

/**
 * The request for one transfer in the three pieces around its recipient and its reference, for whoever
 * fills them in elsewhere.
 */
export function transferPieces(url: URL, token: string): readonly [string, string, string] {
  const body = bodies.transfers(1);
  const [before, between, after] = body.split(new RegExp(`${customerHole}|${referenceHole}`));
  if (before === undefined || between === undefined || after === undefined)
    throw new Error("a transfer has one recipient and one reference");
  return [headOf(url, token, body) + before, between, after];
}

function placesOf(bytes: Buffer, hole: string, from: number): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(hole, from); at !== -1; at = bytes.indexOf(hole, at + hole.length)) {
    places.push(at);
  }
  return places;
}

function writeDigits(bytes: Buffer, place: number, width: number, number: number): void {
  let rest = number;
  for (let at = place + width - 1; at >= place; at -= 1) {
    bytes[at] = zero + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}
