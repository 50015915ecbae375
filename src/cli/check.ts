import { toVisible } from "../kernel/visible.ts";
import type { Outcome } from "./context.ts";

/** One thing that was looked at. A warning is worth knowing; a problem has to be mended. */
export interface Check {
  readonly name: string;
  readonly state: "ok" | "warning" | "problem" | "skipped";
  readonly message: string;
  /** What to do about it. */
  readonly advice: string | null;
}

export function ok(name: string, message: string): Check {
  return { name, state: "ok", message, advice: null };
}

export function warning(name: string, message: string, advice: string): Check {
  return { name, state: "warning", message, advice };
}

export function problem(name: string, message: string, advice: string): Check {
  return { name, state: "problem", message, advice };
}

export function skipped(name: string, message: string): Check {
  return { name, state: "skipped", message, advice: null };
}

const marks = { ok: "✓", warning: "!", problem: "✗", skipped: "–" } as const;

/** A line for each, with what to do below it; exit code 1 when something has to be mended. */
export function outcomeOf(checks: readonly Check[]): Outcome {
  const problems = checks.filter(({ state }) => state === "problem").length;
  const width = Math.max(...checks.map(({ name }) => name.length));
  return {
    value: { ok: problems === 0, checks },
    text: [
      ...checks.flatMap(({ name, state, message, advice }) => [
        `${marks[state]} ${name.padEnd(width)}  ${toVisible(message)}`,
        ...(advice === null ? [] : [`  ${" ".repeat(width)}  → ${toVisible(advice)}`]),
      ]),
      "",
      problems === 0
        ? "Nothing is wrong."
        : `${problems === 1 ? "1 problem" : `${problems} problems`}.`,
    ].join("\n"),
    ...(problems === 0 ? {} : { exitCode: 1 }),
  };
}
