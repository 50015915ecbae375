import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../src/kernel/root.ts";
import type { Place } from "../ground.ts";
import type { Program } from "../program.ts";

const preload = pathToFileURL(join(packageRoot, "dist/torture/clock/shifted-clock.js")).href;
const jumpLimitMs = 60_000;
const pollMs = 20;
const toleranceMs = 60_000;

/** A machine that is busy with other things is no reason to refuse: clocks are the question here. */
const patient = { EVENT_LOOP_DELAY_MAX_MS: "0" };

/** A service whose wall clock is wrong, by as much as one likes, from one moment to the next. */
export class WrongClock {
  readonly #program: Program;
  readonly #clockFile: string;

  private constructor(program: Program, clockFile: string) {
    this.#program = program;
    this.#clockFile = clockFile;
  }

  static async start(
    place: Place,
    offsetMs: number,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<WrongClock> {
    await mkdir(place.dataDir, { recursive: true });
    const clockFile = join(place.dataDir, `clock-${randomBytes(4).toString("hex")}`);
    await writeFile(clockFile, String(offsetMs));
    const environment = { NODE_OPTIONS: `--import=${preload}`, CLOCK_FILE: clockFile };
    return new WrongClock(
      await place.start({ ...patient, ...settings, ...environment }),
      clockFile,
    );
  }

  get url(): string {
    return this.#program.url;
  }

  /** Returns when the service's clock has jumped. */
  async jumpTo(offsetMs: number): Promise<void> {
    await writeFile(this.#clockFile, String(offsetMs));
    this.#program.process.kill("SIGUSR2");
    const deadline = performance.now() + jumpLimitMs;
    while (Math.abs((await this.offsetMs()) - offsetMs) > toleranceMs) {
      if (performance.now() > deadline) throw new Error("the service's clock did not jump");
      await sleep(pollMs);
    }
  }

  /** How wrong its clock is, by the moment that an error answer of its own tells. */
  async offsetMs(): Promise<number> {
    const answer = await fetch(`${this.url}/no-such-address`);
    const { timestamp } = (await answer.json()) as { timestamp: string };
    return Date.parse(timestamp) - Date.now();
  }
}
