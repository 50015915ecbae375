import { expect, test } from "vitest";
import { defectOfCitus } from "./cluster.ts";

test("a Citus that keeps every plan is named; one that was mended, or never did, is not", () => {
  const versionOf = (release: string) =>
    `Citus ${release} on x86_64-pc-linux-gnu, compiled by gcc (Debian 12.2.0-14+deb12u1) 12.2.0, 64-bit gitref: (sha: )`;

  expect(defectOfCitus(versionOf("13.2.2"))).toMatch(
    /^Citus 13\.2\.2 keeps a plan for every call .* after 1000 uses: .* deploy\/citus\/build\.$/,
  );
  for (const release of ["13.2.0", "13.2.2+plans", "14.3.0"])
    expect(defectOfCitus(versionOf(release))).toBeUndefined();
});
