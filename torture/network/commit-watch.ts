const simpleQuery = 0x51; // Q
const parse = 0x50; // P
const bind = 0x42; // B

/** Statements that commit by themselves and move money or make a promise. */
const accepting = /submit_transfers|submit_charges/;

/**
 * Reads along what a client says to PostgreSQL and recognises the moments that matter: a `commit`, and the
 * calls that commit by themselves. Those are prepared once and then only named, so names are remembered.
 */
export class CommitWatch {
  #pending = Buffer.alloc(0);
  #isStarted = false;
  readonly #accepting = new Set<string>();

  /** True when a commit, or a call that commits, begins in this chunk. */
  sees(chunk: Buffer): boolean {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    let isSeen = false;
    for (;;) {
      // The first message has no kind; every other one begins with it.
      const head = this.#isStarted ? 1 : 0;
      if (this.#pending.length < head + 4) return isSeen;
      const length = head + this.#pending.readInt32BE(head);
      if (this.#pending.length < length) return isSeen;
      const message = this.#pending.subarray(0, length);
      this.#pending = this.#pending.subarray(length);
      if (this.#isStarted) isSeen = this.#isCommit(message) || isSeen;
      this.#isStarted = true;
    }
  }

  #isCommit(message: Buffer): boolean {
    const [first, second] = textsOf(message.subarray(5));
    switch (message.readUInt8(0)) {
      case simpleQuery:
        return first === "commit";
      case parse:
        // Name, then text.
        if (accepting.test(second ?? "")) this.#accepting.add(first ?? "");
        return false;
      case bind:
        // Portal, then the name of the statement.
        return this.#accepting.has(second ?? "");
      default:
        return false;
    }
  }
}

/** The first two texts of a message, each ended by a zero byte. */
function textsOf(body: Buffer): (string | undefined)[] {
  const end = body.indexOf(0);
  if (end === -1) return [];
  const nextEnd = body.indexOf(0, end + 1);
  return [
    body.toString("utf8", 0, end),
    nextEnd === -1 ? undefined : body.toString("utf8", end + 1, nextEnd),
  ];
}
