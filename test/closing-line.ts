import type { Reporter, TestCase } from "vitest/node";

/** Ends the run with one plain line that any tool can read. */
export default class ClosingLine implements Reporter {
  readonly #counts = { passed: 0, failed: 0, skipped: 0 };

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (state !== "pending") this.#counts[state] += 1;
  }

  onTestRunEnd(_modules: unknown, errors: readonly unknown[]): void {
    const { passed, failed, skipped } = this.#counts;
    const tail = skipped > 0 ? `, ${skipped} skipped` : "";
    process.stdout.write(`\n${passed} passed, ${failed + errors.length} failed${tail}\n`);
  }
}
