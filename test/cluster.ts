import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished, type TestContext } from "vitest";
import { packageRoot } from "../src/kernel/root.ts";

const exitOfMissing = 3;

/** A real cluster on this machine: a coordinator and two workers, of which the coordinator is node 0. */
export class TestCluster {
  /** Of the role that Cauri has there, at the coordinator. */
  readonly url: string;
  readonly basePort: number;
  readonly #folder: string;

  private constructor(folder: string, basePort: number, url: string) {
    this.#folder = folder;
    this.basePort = basePort;
    this.url = url;
  }

  /** Ends with the test. Where there is no Citus the test is skipped, and says why. */
  static start(context: TestContext, basePort: number): TestCluster {
    const folder = mkdtempSync(join(tmpdir(), "cauri-cluster-"));
    onTestFinished(() => {
      run(basePort, "stop", folder);
      rmSync(folder, { recursive: true, force: true });
    });
    const started = run(basePort, "start", folder, "2");
    if (started.status === exitOfMissing) context.skip(started.stderr.trim());
    expect(started.status, started.stderr).toBe(0);
    return new TestCluster(folder, basePort, started.stdout.trim());
  }

  urlAt(node: number): string {
    const url = new URL(this.url);
    url.port = String(this.basePort + node);
    return url.href;
  }

  /** As the superuser, at a node. */
  async administer(node: number, statement: string): Promise<pg.QueryResult> {
    const url = new URL(this.urlAt(node));
    url.username = "postgres";
    url.password = readFileSync(join(this.#folder, "superuser"), "utf8").trim();
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    try {
      return await client.query(statement);
    } finally {
      await client.end();
    }
  }

  /** Stops it in order, as before a change of its settings. */
  async stop(node: number): Promise<void> {
    const pid = this.#pidOf(node);
    process.kill(pid, "SIGINT");
    await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
    await sleep(100);
  }

  startAgain(node: number): void {
    const { status, stderr } = run(this.basePort, "node", this.#folder, String(node));
    expect(status, stderr).toBe(0);
  }

  #pidOf(node: number): number {
    const path = join(this.#folder, `node${node}/postmaster.pid`);
    return Number(readFileSync(path, "utf8").split("\n")[0]);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function run(basePort: number, ...parameters: string[]) {
  return spawnSync(join(packageRoot, "deploy/citus/cluster"), parameters, {
    encoding: "utf8",
    env: { ...process.env, BASE_PORT: String(basePort) },
  });
}
