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
