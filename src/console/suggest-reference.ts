import { randomBytes } from "node:crypto";

/** What it is, the day, and enough chance that two people do not suggest the same. */
export function suggestReference(kind: string, day: string): string {
  return `${kind}-${day}-${randomBytes(4).toString("hex").toUpperCase()}`;
}
