const barWidth = 30;
const redrawEveryMs = 200;
/** Without a terminal nothing can be written over, so that a line is worth something only now and then. */
const lineEveryMs = 5_000;

/**
 * How much of something is done, how fast, how long still, on standard error: a bar in a terminal, and without one a plain
 * line every few seconds. What is done sooner than that is not worth a line.
 */
export class Progress {
  readonly #total: number;
  readonly #what: string;
  readonly #startedMs = performance.now();
  #drawnMs = this.#startedMs;

  constructor(total: number, what = "") {
    this.#total = total;
    this.#what = what === "" ? "" : `${what} `;
    if (process.stderr.isTTY) this.#drawnMs = 0;
  }

  show(done: number): void {
    const { isTTY } = process.stderr;
    const nowMs = performance.now();
    const isTime = nowMs - this.#drawnMs >= (isTTY ? redrawEveryMs : lineEveryMs);
    if (!isTime && !(isTTY && done >= this.#total)) return;
    this.#drawnMs = nowMs;
    const line = this.#what + progressLine(done, this.#total, nowMs - this.#startedMs, isTTY);
    if (isTTY) process.stderr.write(`\r${line}${done >= this.#total ? "\n" : ""}`);
    else process.stderr.write(`${line}\n`);
  }
}

/** The same where nobody knows before how much it is. */
export class Tally {
  readonly #what: string;
  readonly #startedMs = performance.now();
  #drawnMs = this.#startedMs;
  #line = "";

  constructor(what: string) {
    this.#what = what;
  }

  show(done: number, bytes: number): void {
    const { isTTY } = process.stderr;
    const nowMs = performance.now();
    if (nowMs - this.#drawnMs < (isTTY ? redrawEveryMs : lineEveryMs)) return;
    this.#drawnMs = nowMs;
    const perSecond = Math.round((done / (nowMs - this.#startedMs)) * 1_000);
    const line = `${done} ${this.#what}  ${toMegabytes(bytes)}  ${perSecond}/s`;
    process.stderr.write(isTTY ? `\r${line.padEnd(this.#line.length)}` : `${line}\n`);
    this.#line = line;
  }

  end(): void {
    if (process.stderr.isTTY && this.#line !== "") process.stderr.write("\n");
  }
}

export function toMegabytes(bytes: number): string {
  if (bytes < 100_000) return `${Math.ceil(bytes / 1_000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function progressLine(done: number, total: number, elapsedMs: number, hasBar: boolean): string {
  const share = total === 0 ? 1 : done / total;
  const filled = Math.round(share * barWidth);
  const perSecond = elapsedMs > 0 ? Math.round((done / elapsedMs) * 1_000) : 0;
  const left = perSecond > 0 ? Math.ceil((total - done) / perSecond) : 0;
  const bar = hasBar ? `[${"#".repeat(filled)}${"-".repeat(barWidth - filled)}] ` : "";
  return `${bar}${done} of ${total}  ${Math.floor(share * 100)} %  ${perSecond}/s  ${left} s left `.trimEnd();
}
