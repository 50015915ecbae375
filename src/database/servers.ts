import assert from "node:assert/strict";
import {
  type DatabaseAddress,
  type DatabaseHost,
  parseDatabaseUrl,
} from "../kernel/database-url.ts";
import { NotDurable } from "./durability.ts";
import type { UnusableServer } from "./errors.ts";

export const letsNobodyWrite = "lets nobody write";
const complainEveryMs = 10_000;

/**
 * The servers that DATABASE_URL names, of which one at a time is the primary. All connections of a pool go to the same
 * one, until it turns out to be the wrong one: then to the next.
 */
export class Servers {
  readonly #address: DatabaseAddress;
  readonly #onGrave: (message: string) => void;
  readonly #problems = new Map<string, UnusableServer>();
  #place = 0;
  #complainedMs = Number.NEGATIVE_INFINITY;

  constructor(url: string, onGrave: (message: string) => void = () => {}) {
    const address = parseDatabaseUrl(url);
    assert(address !== undefined, "the address of the database was checked before");
    this.#address = address;
    this.#onGrave = onGrave;
  }

  get count(): number {
    return this.#address.hosts.length;
  }

  get current(): DatabaseHost {
    const host = this.#address.hosts[this.#place];
    assert(host !== undefined, "an address names a server at least");
    return host;
  }

  /** The addresses of all but the current one. */
  get others(): readonly string[] {
    return this.#address.hosts.filter((host) => host !== this.current).map(({ url }) => url);
  }

  get sessionMust(): DatabaseAddress["sessionMust"] {
    return this.#address.sessionMust;
  }

  get connectTimeoutMs(): number | undefined {
    return this.#address.connectTimeoutMs;
  }

  /** What was in the way at each server when it was last tried. */
  get problems(): readonly string[] {
    return [...this.#problems.values()].map(({ message }) => message);
  }

  /** The end of a sentence about a server that takes writes and must not. */
  get graveProblem(): string | undefined {
    return [...this.#problems.values()].find(({ isGrave }) => isGrave)?.problem;
  }

  /** Whether one of them went back in time, or belongs to another database. */
  get hasLeftBehind(): boolean {
    return [...this.#problems.values()].some(
      (problem) => problem.isGrave && !(problem instanceof NotDurable),
    );
  }

  /** Whether one of them is there and lets nobody write. */
  get isReadOnly(): boolean {
    return [...this.#problems.values()].some(({ problem }) => problem === letsNobodyWrite);
  }

  found({ name }: DatabaseHost): void {
    this.#problems.delete(name);
  }

  /** This one cannot be used now. Whoever finds the same a moment later does not pass over the next one. */
  leave(host: DatabaseHost, problem: UnusableServer): void {
    this.#problems.set(host.name, problem);
    if (this.current === host) this.#place = (this.#place + 1) % this.count;
    if (!problem.isGrave || performance.now() - this.#complainedMs < complainEveryMs) return;
    this.#complainedMs = performance.now();
    this.#onGrave(`It is not used: the server ${problem.message}.`);
  }
}
