// Loaded into a service before anything else (node --import): its wall clock is wrong by what the file says
// that CLOCK_FILE names, and jumps when it is told to read that file again. Timers and performance.now()
// stay true, as they do when somebody sets the clock of a machine.
import { readFileSync } from "node:fs";

const RealDate = Date;
const path = process.env["CLOCK_FILE"] ?? "";
let offsetMs = Number(readFileSync(path, "utf8"));
process.on("SIGUSR2", () => {
  offsetMs = Number(readFileSync(path, "utf8"));
});

class ShiftedDate extends RealDate {
  // oxlint-disable-next-line typescript/no-explicit-any -- as many and as odd as those of the real one.
  constructor(...values: any[]) {
    if (values.length === 0) super(RealDate.now() + offsetMs);
    else super(...(values as [number]));
  }

  static override now(): number {
    return RealDate.now() + offsetMs;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof RealDate;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
