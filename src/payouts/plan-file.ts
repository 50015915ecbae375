import { open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { writePrivateFile } from "../kernel/private-file.ts";
import { PlanUnreadable } from "./errors.ts";
import type { Plan } from "./plan.ts";

/** Beside the file that is paid from. */
export function planPathOf(file: string): string {
  return `${file}.plan.json`;
}

export async function findPlan(path: string): Promise<Plan | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const plan = JSON.parse(text) as Plan;
    if (plan.version === 1 && Number.isInteger(plan.sentCount) && plan.chunkRows > 0) return plan;
  } catch (error) {
    throw new PlanUnreadable(path, { cause: error });
  }
  throw new PlanUnreadable(path);
}

/** On disk when it returns, its name in the folder included: money moves only after that. */
export async function keepPlan(path: string, plan: Plan): Promise<void> {
  await writePrivateFile(path, `${JSON.stringify(plan, null, 2)}\n`);
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
