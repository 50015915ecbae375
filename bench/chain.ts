import { callBare, connect } from "./batches.ts";
import type { Plan } from "./options.ts";
import type { Postgres } from "./postgres.ts";
import { type Finding, rounded, whole } from "./report.ts";
import { compare, medianOf } from "./rounds.ts";
import { unchainedPosting } from "./unchained.ts";

/** As many as wait together at 64 connections, and as many as a batch has. */
const setSizes = [32, 1_000];

/** Part m: the call that accepts transfers, with the chain of postings and without it, in two databases of one server. */
export async function chainAgainstNone(postgres: Postgres, plan: Plan): Promise<Finding[]> {
  const chained = await postgres.makeBook("chained");
  const unchained = await postgres.makeBook("unchained");
  await unchained.database.query({ text: unchainedPosting, values: [] });
  const findings: Finding[] = [];
  for (const rows of setSizes) {
    const [one, other] = [await connect(chained), await connect(unchained)];
    try {
      const { first, second, ratio, ratios } = await compare(
        plan,
        (seconds) => callBare(one, chained.companyId, rows, seconds),
        (seconds) => callBare(other, unchained.companyId, rows, seconds),
      );
      const rate = (results: typeof first) =>
        medianOf(results, ({ transfersPerSecond }) => transfersPerSecond);
      findings.push({
        id: `m-${rows}`,
        what: `(m) the call that accepts, ${whole(rows)} at a time`,
        measured: `${whole(rate(first))}/s chained`,
        against: `not chained: ${whole(rate(second))}/s`,
        ratio,
        target: 0.95,
        numbers: {
          chained: { transfersPerSecond: Math.round(rate(first)) },
          unchained: { transfersPerSecond: Math.round(rate(second)) },
          ratios: ratios.map((r) => rounded(r)),
        },
      });
    } finally {
      await one.end();
      await other.end();
    }
  }
  await chained.close();
  await unchained.close();
  return findings;
}
