import { expect, test } from "vitest";
import { progressLine } from "./audit-progress.ts";

test("progress says how far an audit is, and how long it will take once that can be known", () => {
  const check = "each balance is the sum of its postings";

  expect(progressLine({ check, share: 0 }, 3)).toBe(`  0 % after 3 s: ${check}`);
  expect(progressLine({ check, share: 0.25 }, 60)).toBe(
    ` 25 % after 60 s, about 3 min left: ${check}`,
  );
  expect(progressLine({ check, share: 0.5 }, 7_200)).toBe(
    ` 50 % after 2 h 0 min, about 2 h 0 min left: ${check}`,
  );
});
