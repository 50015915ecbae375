import fc from "fast-check";
import { expect } from "vitest";
import {
  auditDifferences,
  makeCompany,
  makeCustomer,
  type TestDatabase,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { fundCompany } from "../companies/fund-company.ts";
import { sql } from "../database/sql.ts";

const people = [
  "2250700000000",
  "2250700000001",
  "2250711111111",
  "2250722222222",
  "2250799999999",
];

interface Action {
  readonly kind: "create" | "batch" | "fund";
  readonly amounts: readonly number[];
  readonly person: number;
  /** Small, so that references repeat. */
  readonly reference: number;
}

const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom("create", "create", "create", "batch", "fund"),
  amounts: fc.array(fc.integer({ min: 5_000, max: 60_000 }), { minLength: 1, maxLength: 4 }),
  person: fc.nat(people.length - 1),
  reference: fc.nat(15),
});

// Rounds of actions that race with one another and with the worker that settles them.
const rounds = fc.array(fc.array(action, { minLength: 1, maxLength: 12 }), {
  minLength: 1,
  maxLength: 4,
});

test("any sequence of create, batch, settle, fail and fund, racing, leaves the books in order", async ({
  db,
  service,
}) => {
  await makeCustomer(db.database, "2250711111111", "complete", 100_000);
  await makeCustomer(db.database, "2250722222222", "pending");

  await fc.assert(
    fc.asyncProperty(rounds, fc.nat(2_000), async (plan, feeBasisPoints) => {
      const company = await makeCompany(db.database, {
        fund: 200_000,
        transferFee: { ratePpm: feeBasisPoints * 100, flat: 7, min: 0, max: 3_000 },
      });
      let funded = 200_000;
      const accepted = new Map<string, number>();

      const act = async ({ kind, amounts, person, reference }: Action, place: string) => {
        const row = (amount: number, suffix: string) => ({
          type: "transfer",
          amount,
          msisdn: people[person],
          reference: `${reference}${suffix}`,
        });
        if (kind === "fund") {
          await fundCompany(db.database, new Date(), {
            companyId: company.id,
            amount: amounts[0] ?? 0,
          });
          funded += amounts[0] ?? 0;
          return;
        }
        const isBatch = kind === "batch";
        const answer = await service.call(
          "POST",
          isBatch ? "/v1/transactions/batch" : "/v1/transactions",
          {
            token: company.accessToken,
            body: isBatch
              ? { transactions: amounts.map((amount, index) => row(amount, `-${index}`)) }
              : row(amounts[0] ?? 0, "-0"),
          },
        );
        expect([201, 402, 409], `${place}: ${JSON.stringify(answer.body)}`).toContain(
          answer.status,
        );
        if (answer.status !== 201) return;
        for (const one of isBatch ? answer.body.transactions : [answer.body]) {
          expect(accepted.has(one.reference), `reference ${one.reference} was accepted twice`).toBe(
            false,
          );
          accepted.set(one.reference, one.totalAmount);
        }
      };
      for (const [index, round] of plan.entries()) {
        await Promise.all(round.map((one, place) => act(one, `round ${index}, action ${place}`)));
      }

      await untilSettled(db.database);
      expect(await auditDifferences(db.database)).toEqual([]);
      const stored = await db.database.query<{
        reference: string;
        total: number;
        status: string;
      }>(sql`
        select t.reference, t.amount + t.fee as total, o.status
        from transfers t left join outcomes o using (company_id, id) where company_id = ${company.id}`);
      expect(new Map(stored.map(({ reference, total }) => [reference, total]))).toEqual(accepted);
      const spent = stored
        .filter(({ status }) => status === "completed")
        .reduce((sum, { total }) => sum + total, 0);
      const balance = await service.call("GET", "/v1/balance", { token: company.accessToken });
      expect(balance.body.balance).toBe(funded - spent);
      expect(await eventsOf(db, company.id)).toEqual(stored.length * 2);
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

/** Every transfer has told that it started and how it ended, and every batch that it ended, in numbers without gaps. */
async function eventsOf(db: TestDatabase, companyId: string): Promise<number> {
  const rows = await db.database.query<EventCounts>(sql`
    select count(*) as count, coalesce(max(number), 0) as last, count(distinct (subject_id, topic)) as subjects,
      count(*) filter (where topic = 'batches/completed') as batches,
      (select count(*) from batches where company_id = ${companyId}) as made
    from events where company_id = ${companyId}`);
  const { count, last, subjects, batches, made } = rows[0] ?? never();
  expect([last, subjects, batches]).toEqual([count, count, made]);
  return count - batches;
}

interface EventCounts {
  readonly count: number;
  readonly last: number;
  readonly subjects: number;
  readonly batches: number;
  readonly made: number;
}

function never(): never {
  throw new Error("a count has one row");
}
