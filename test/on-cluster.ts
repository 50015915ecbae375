import { inject, type TestContext } from "vitest";

/** Why a test says nothing on a cluster (`npm run test:citus`). docs/scaling.md has the same list. */
const reasons = {
  plans: "it reads plans, and the coordinator's say nothing of how the nodes read their rows",
  pages: "it counts what one server reads, and the rows are on others",
  forgeries:
    "hundreds of forgeries, each looked at part by part: test/audit.test.ts makes one of each kind",
  extension: "it looks at everything in the database, and the extension has things there too",
  checkpoints: "an audit looks at everything each time: the nodes have no snapshot in common",
  settings: "functions that are split lose a setting of the planner: src/database/distribute.ts",
} as const;

export const isOnCluster = (): boolean => inject("isCluster");

/** Skips a test that cannot hold there. */
export function notOnCluster(
  { skip }: Pick<TestContext, "skip">,
  reason: keyof typeof reasons,
): void {
  skip(isOnCluster(), reasons[reason]);
}
