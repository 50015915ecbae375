import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { packageRoot } from "../../src/kernel/root.ts";
import type { GroundCompany } from "../ground.ts";
import type { Wellbeing } from "./neighbour.ts";

const main = "dist/torture/abuse/neighbour-main.js";

/** The neighbour in a process of its own: the attackers' work here would make its answers seem late. */
export class NeighbourProcess {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #said: Promise<string>;

  constructor(url: string, { accessToken }: GroundCompany, name: string) {
    this.#process = spawn(process.execPath, [join(packageRoot, main), url, accessToken, name], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#said = text(this.#process.stdout);
  }

  /** It ends when nobody speaks to it any more, so it does not outlive this process either. */
  async stop(): Promise<Wellbeing> {
    const exit = once(this.#process, "exit");
    this.#process.stdin.end();
    await exit;
    return JSON.parse(await this.#said) as Wellbeing;
  }
}
