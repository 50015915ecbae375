/**
 * From now on the wall clock of this process is wrong by as much as `offsetMs` says. Timers and performance.now() stay true,
 * as they do when somebody sets the clock of a machine. Answers what puts it right again.
 */
export function shiftDate(offsetMs: () => number): () => void {
  const RealDate = Date;

  class ShiftedDate extends RealDate {
    // oxlint-disable-next-line typescript/no-explicit-any -- as many and as odd as those of the real one.
    constructor(...values: any[]) {
      if (values.length === 0) super(RealDate.now() + offsetMs());
      else super(...(values as [number]));
    }

    static override now(): number {
      return RealDate.now() + offsetMs();
    }

    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof RealDate;
    }
  }

  globalThis.Date = ShiftedDate as DateConstructor;
  return () => {
    globalThis.Date = RealDate;
  };
}
