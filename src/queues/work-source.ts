/**
 * Where a `WorkLoop` gets its work from. Work is found and done company by company.
 *
 * Any number of loops, in any number of processes, may share a source. A source therefore has to make sure by
 * itself, inside the transactions it writes with, that nothing is done twice: a loop only keeps one process from
 * giving a company two turns at the same time.
 */
export interface WorkSource {
  /** Companies that have something to do now, the longest waiting first, at most `limit`. */
  find(limit: number): Promise<readonly string[]>;
  /**
   * Gives a company one turn: a bounded part of what it has to do. Never waits for another worker that has the
   * same company: there is nothing to do then.
   *
   * Answers in how many milliseconds there is more to do; 0: at once, after the companies that wait; undefined:
   * nothing is left, or another worker has it. When it throws, the company gets its next turn after a pause.
   *
   * A turn of several steps asks `mayGoOn` before each further one. It answers false once the loop is being
   * stopped or the work may be another's by now. It saves work and protects nothing.
   */
  work(companyId: string, mayGoOn: () => boolean): Promise<number | undefined>;
}
