import type { Attack } from "./attack.ts";
import { auditAttacks } from "./attacks/audits.ts";
import { historyAttacks } from "./attacks/histories.ts";
import { keyAttacks } from "./attacks/keys.ts";
import { postingAttacks } from "./attacks/postings.ts";
import { sealAttacks } from "./attacks/seals.ts";
import { trailAttacks } from "./attacks/trails.ts";

export const attacks: readonly Attack[] = [
  ...postingAttacks,
  ...historyAttacks,
  ...sealAttacks,
  ...keyAttacks,
  ...trailAttacks,
  ...auditAttacks,
];
