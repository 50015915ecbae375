/** How much waits in a queue. */
export interface QueueMeasure {
  readonly queue: string;
  /** Companies that wait. */
  readonly depth: number;
  /** How long the first of them has waited. */
  readonly ageSeconds: number;
}
