import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { writePrivateFile } from "../kernel/private-file.ts";
import type { Plan } from "./plan.ts";

const importsMax = 1_000;

/** In the home folder, because a copy of a file may lie anywhere. */
export function pastImportsPath(): string {
  return join(homedir(), ".cauri", "payouts.json");
}

/** What was paid from this machine, newest first. A list that cannot be read is only less help: the service knows too. */
export async function readPastImports(path: string): Promise<readonly Plan[]> {
  try {
    const plans = JSON.parse(await readFile(path, "utf8")) as Plan[];
    return Array.isArray(plans) ? plans : [];
  } catch {
    return [];
  }
}

export async function keepPastImport(path: string, plan: Plan): Promise<void> {
  const others = (await readPastImports(path)).filter(
    ({ fileHash, companyId }) => fileHash !== plan.fileHash || companyId !== plan.companyId,
  );
  await writePrivateFile(path, `${JSON.stringify([plan, ...others].slice(0, importsMax))}\n`);
}
