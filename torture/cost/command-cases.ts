import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { csvShapes, type FileShape, workbookShapes } from "./file-shapes.ts";
import { growthOf, isSteep } from "./growth.ts";
import { memoryMaxMb, sizeOf, type Tally } from "./judge.ts";
import { peakMb, processMs } from "./process-cost.ts";
import type { Site } from "./site.ts";

/** A file that a command is given. */
export interface CommandCase {
  readonly name: string;
  readonly most: number;
  readonly shape: FileShape;
  readonly args: readonly string[];
}

const most = 8_000_000;
const lookEveryMs = 10;
const timeLimitMs = 60_000;
/** Beyond what the command takes for nothing. */
const littleMs = 300;

const pdfShapes: readonly FileShape[] = [
  "(",
  "<<",
  "[",
  "1 0 obj ",
  "stream\n",
  "endobj",
  "%",
  "/A ",
  "0 0 R ",
].map((piece) => ({
  name: `PDF: ${piece}`,
  fileName: "statement.pdf",
  make: async (length) => Buffer.from(`%PDF-1.7\n${piece.repeat(length / piece.length)}\n%%EOF\n`),
}));

/** Every file that the command line reads of others. */
export function commandCases(): CommandCase[] {
  const of = (command: readonly string[], shapes: readonly FileShape[]) =>
    shapes.map((shape) => ({
      name: `cauri ${command.join(" ")}, ${shape.name}`,
      most,
      shape,
      args: command,
    }));
  return [
    ...of(["verify"], [...csvShapes, ...workbookShapes, ...pdfShapes]),
    ...of(["payout", "import", "--dry-run"], [...csvShapes, ...workbookShapes]),
  ];
}

/** Runs a command on files of a shape, longer and longer. */
export async function tryCommand(
  site: Site,
  { name, shape, args, ...one }: CommandCase,
  share: number,
  tally: Tally,
): Promise<string[]> {
  const longest = one.most * share;
  const findings: string[] = [];
  const measure = async (length: number) => {
    const path = join(site.folder, shape.fileName);
    await writeFile(path, await shape.make(length));
    tally.requests += 1;
    const run = await costOf(site, [...args, path]);
    tally.longestMs = Math.max(tally.longestMs, run.cpuMs);
    tally.peakMb = Math.max(tally.peakMb, run.megabytes);
    if (run.isTooLong)
      findings.push(`${name}, ${sizeOf(length)}: not over in ${timeLimitMs / 1_000} s`);
    if (run.megabytes > memoryMaxMb)
      findings.push(`${name}, ${sizeOf(length)}: ${run.megabytes} MB of memory`);
    return run.cpuMs;
  };
  tally.cases += 1;
  const nothing = await measure(100);
  for (const length of [longest / 16, longest / 4, longest].map(Math.floor)) {
    const cpuMs = (await measure(length)) - nothing;
    if (findings.length > 0) return findings;
    if (cpuMs < littleMs) continue;
    const lengths = [length / 4, length / 2, length].map(Math.floor);
    const costs = await growthOf(lengths, async (size) => (await measure(size)) - nothing);
    if (!isSteep(costs, littleMs)) continue;
    const told = lengths.map(
      (size, place) => `${sizeOf(size)} ${Math.round(costs[place] ?? 0)} ms`,
    );
    findings.push(
      `${name}: the time more than triples when the length doubles: ${told.join(", ")}`,
    );
    return findings;
  }
  return findings;
}

async function costOf({ root, url, token, folder }: Site, args: readonly string[]) {
  const child = spawn(process.execPath, [join(root, "dist/src/main.js"), ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, CAURI_URL: url, CAURI_TOKEN: token },
    stdio: "ignore",
  });
  const closed = once(child, "close");
  const started = performance.now();
  let [cpuMs, megabytes] = [0, 0];
  let isTooLong = false;
  while (child.exitCode === null && child.signalCode === null) {
    const pid = child.pid ?? 0;
    cpuMs = Math.max(cpuMs, processMs(pid));
    megabytes = Math.max(megabytes, peakMb(pid));
    isTooLong = performance.now() - started > timeLimitMs;
    if (isTooLong) child.kill("SIGKILL");
    await Promise.race([closed, sleep(lookEveryMs)]);
  }
  await closed;
  return { cpuMs, megabytes, isTooLong };
}
