import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { discardMisleadingPidFile, isAlive, runningPostmaster, shutDown } from "./postmaster.ts";

test("a pid file whose number now belongs to another program is no server, and is removed", async () => {
  const cluster = await clusterWithPidFile(process.pid);
  expect(await runningPostmaster(cluster)).toBeUndefined();
  await discardMisleadingPidFile(cluster);
  expect(await readdir(cluster)).toEqual([]);
});

test("a pid file whose number is free is left to PostgreSQL", async () => {
  const cluster = await clusterWithPidFile(await numberOfDeadProcess());
  expect(await runningPostmaster(cluster)).toBeUndefined();
  await discardMisleadingPidFile(cluster);
  expect(await readdir(cluster)).toEqual(["postmaster.pid"]);
});

test("a process that serves the cluster is recognised, and its pid file kept", async () => {
  const cluster = await clusterWithPidFile(0);
  const server = spawn(process.execPath, [
    "-e",
    "setTimeout(() => {}, 30_000)",
    "--",
    "-D",
    cluster,
    "-p",
  ]);
  onTestFinished(() => void server.kill());
  const pid = server.pid ?? 0;
  await writePidFile(cluster, pid);
  expect(await runningPostmaster(cluster)).toEqual({ pid, port: 5999, accepting: true });
  await discardMisleadingPidFile(cluster);
  expect(await readdir(cluster)).toEqual(["postmaster.pid"]);

  expect(isAlive(pid)).toBe(true);
  await shutDown(pid);
  expect(isAlive(pid)).toBe(false);
});

async function clusterWithPidFile(pid: number): Promise<string> {
  const cluster = await mkdtemp(join(tmpdir(), "cauri-postmaster-"));
  onTestFinished(() => rm(cluster, { recursive: true, force: true }));
  await writePidFile(cluster, pid);
  return cluster;
}

async function writePidFile(cluster: string, pid: number): Promise<void> {
  const lines = [pid, cluster, 1_790_000_000, 5999, "", "127.0.0.1", "16541129 12", "ready   "];
  await writeFile(join(cluster, "postmaster.pid"), `${lines.join("\n")}\n`);
}

async function numberOfDeadProcess(): Promise<number> {
  const child = spawn("true");
  await new Promise((resolve) => child.once("exit", resolve));
  return child.pid ?? 0;
}
