// Loaded into a service before anything else (node --import): its wall clock is wrong by what the file says
// that CLOCK_FILE names, and jumps when it is told to read that file again.
import { readFileSync } from "node:fs";
import { shiftDate } from "./shift-date.ts";

const path = process.env["CLOCK_FILE"] ?? "";
let offsetMs = Number(readFileSync(path, "utf8"));
process.on("SIGUSR2", () => {
  offsetMs = Number(readFileSync(path, "utf8"));
});
shiftDate(() => offsetMs);
