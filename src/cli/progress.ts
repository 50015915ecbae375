const barWidth = 30;
const redrawEveryMs = 200;

/** A progress line on standard error: how much of it is done, how fast, how long still. Silent when piped. */
export class Progress {
  readonly #total: number;
  readonly #startedMs = performance.now();
  #drawnMs = 0;

  constructor(total: number) {
    this.#total = total;
  }

  show(done: number): void {
    const nowMs = performance.now();
    if (!process.stderr.isTTY || (nowMs - this.#drawnMs < redrawEveryMs && done < this.#total))
      return;
    this.#drawnMs = nowMs;
    process.stderr.write(
      `\r${progressLine(done, this.#total, nowMs - this.#startedMs)}${done >= this.#total ? "\n" : ""}`,
    );
  }
}

function progressLine(done: number, total: number, elapsedMs: number): string {
  const share = total === 0 ? 1 : done / total;
  const filled = Math.round(share * barWidth);
  const perSecond = elapsedMs > 0 ? Math.round((done / elapsedMs) * 1_000) : 0;
  const left = perSecond > 0 ? Math.ceil((total - done) / perSecond) : 0;
  return `[${"#".repeat(filled)}${"-".repeat(barWidth - filled)}] ${done} of ${total}  ${Math.floor(share * 100)} %  ${perSecond}/s  ${left} s left `;
}
