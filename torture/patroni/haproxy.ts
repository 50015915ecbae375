import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../../src/kernel/root.ts";

/** The HAProxy of deploy/ha, as it is configured there, in front of the nodes of this machine. */
export class Haproxy {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  static isThere(): boolean {
    return spawnSync("haproxy", ["-v"]).status === 0;
  }

  static async start(
    folder: string,
    port: number,
    authority: string,
    nodes: readonly { readonly sqlPort: number; readonly restPort: number }[],
  ): Promise<Haproxy> {
    const template = await readFile(join(packageRoot, "deploy/ha/haproxy.cfg"), "utf8");
    const servers = nodes.map(
      ({ sqlPort, restPort }, index) =>
        `  server db${index + 1} 127.0.0.1:${sqlPort} check port ${restPort} check-ssl verify required ca-file ${authority}`,
    );
    const lines = template
      .replace(/^ {2}bind .*$/m, `  bind 127.0.0.1:${port}`)
      .split("\n")
      .filter((line) => !line.startsWith("  server "));
    const path = join(folder, "haproxy.cfg");
    await mkdir(folder, { recursive: true });
    await writeFile(path, [...lines, ...servers, ""].join("\n"));
    return new Haproxy(spawn("haproxy", ["-db", "-f", path], { stdio: "ignore" }));
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const exit = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await exit;
  }
}
