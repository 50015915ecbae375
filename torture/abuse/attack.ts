import type { Ground, GroundCompany } from "../ground.ts";
import type { Random } from "../random.ts";

/** What an attack is let loose on. */
export interface Target {
  readonly ground: Ground;
  /** The company whose token the attacker has. */
  readonly attacker: GroundCompany;
  readonly random: Random;
  /** Aborted when the attack has lasted long enough. */
  readonly signal: AbortSignal;
}

interface AttackReport {
  /** How many requests it sent. */
  readonly requests: number;
  /** What it should not have got, each as one sentence. */
  readonly findings: readonly string[];
}

/** One way to harm others. How well they are meanwhile is judged for every attack alike, in `abuse.ts`. */
export interface Attack {
  readonly name: string;
  run(target: Target): Promise<AttackReport>;
}
