/** What the main thread worked on. */
export interface Activity {
  /** The route of a request, or what runs beside the requests; empty when nobody said. */
  readonly what: string;
  /** For whom; empty when it is nobody's, or not known yet. */
  readonly companyId: string;
}

/** Places of the four numbers at the beginning. */
const beats = 0;
const current = 1;
const stopping = 2;
const headBytes = 16;

/** More than there are routes and queues; those beyond have no name. */
const labelsMax = 2_048;
const labelBytes = 96;
/** What began longer ago than this many others is no longer known by its own name. */
const placesMax = 4_096;
/** The number of its label, and that of its company. */
const placeBytes = 8;
/** Of those that were worked for last. */
const companiesMax = 4_096;
const companyBytes = 48;

const labelsAt = headBytes;
const placesAt = labelsAt + labelsMax * labelBytes;
const companiesAt = placesAt + placesMax * placeBytes;
const boardBytes = companiesAt + companiesMax * companyBytes;

/**
 * What the main thread works on, in memory that another thread reads while the main thread is blocked and cannot say it. Every
 * request has a place here from its start; to begin it, to say whose it is and to go on with it is to write a number each.
 */
export class ActivityBoard {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Int32Array;
  readonly #bytes: Buffer;
  readonly #labels = new Map<string, number>();
  readonly #companies = new Map<string, number>();
  /** By number. */
  readonly #companyNames: string[] = [];
  #companiesMet = 0;
  #begun = 0;

  constructor(memory = new SharedArrayBuffer(boardBytes)) {
    this.memory = memory;
    this.#numbers = new Int32Array(memory);
    this.#bytes = Buffer.from(memory);
  }

  /** A number for a name, the same for the same. 0: there are too many. */
  labelFor(name: string): number {
    const known = this.#labels.get(name);
    if (known !== undefined) return known;
    const label = this.#labels.size + 1;
    if (label >= labelsMax) return 0;
    this.#labels.set(name, label);
    this.#bytes.write(name, labelsAt + label * labelBytes, labelBytes, "latin1");
    return label;
  }

  /** Answers the place of something that begins now, to go on with later. */
  begin(label: number, companyId = ""): number {
    this.#begun += 1;
    // Place 0 is nobody's.
    const place = 1 + (this.#begun % (placesMax - 1));
    this.#numbers[(placesAt + place * placeBytes) >> 2] = label;
    this.nameCompany(place, companyId);
    this.goOnWith(place);
    return place;
  }

  nameCompany(place: number, companyId: string): void {
    const company = companyId === "" ? 0 : this.#numberOf(companyId);
    this.#numbers[(placesAt + place * placeBytes + 4) >> 2] = company;
  }

  /** Of a company; the one that was met longest ago gives up its number. */
  #numberOf(companyId: string): number {
    const known = this.#companies.get(companyId);
    if (known !== undefined) return known;
    this.#companiesMet += 1;
    // Number 0 is nobody's.
    const number = 1 + (this.#companiesMet % (companiesMax - 1));
    this.#companies.delete(this.#companyNames[number] ?? "");
    this.#companies.set(companyId, number);
    this.#companyNames[number] = companyId;
    const at = companiesAt + number * companyBytes;
    this.#bytes.fill(0, at, at + companyBytes);
    this.#bytes.write(companyId, at, companyBytes, "latin1");
    return number;
  }

  get current(): number {
    return this.#numbers[current] ?? 0;
  }

  goOnWith(place: number): void {
    this.#numbers[current] = place;
  }

  /** Read by another thread as well. */
  get doing(): Activity {
    const at = (placesAt + this.current * placeBytes) >> 2;
    const label = this.#numbers[at] ?? 0;
    const company = this.#numbers[at + 1] ?? 0;
    return {
      what: this.#textAt(labelsAt + label * labelBytes, labelBytes),
      companyId: this.#textAt(companiesAt + company * companyBytes, companyBytes),
    };
  }

  #textAt(start: number, bytesMax: number): string {
    return this.#bytes.toString("latin1", start, start + bytesMax).replaceAll("\0", "");
  }

  /** Said every few milliseconds by a main thread that is not blocked. What it did until now, it does no more. */
  beat(): void {
    this.#numbers[current] = 0;
    Atomics.add(this.#numbers, beats, 1);
  }

  get beats(): number {
    return Atomics.load(this.#numbers, beats);
  }

  /** From now on the process has only so long. */
  stopWithin(ms: number): void {
    Atomics.store(this.#numbers, stopping, ms);
  }

  /** 0: it is not stopping. */
  get stopLimitMs(): number {
    return Atomics.load(this.#numbers, stopping);
  }
}

/** Of this process. */
export const activities = new ActivityBoard();
