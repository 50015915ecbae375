import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { connect } from "../bench/batches.ts";
import { fillBooks, findSpots } from "../bench/fill-books.ts";
import { type Act, acts, type Ground } from "../bench/growth-acts.ts";
import { countPages } from "../bench/growth-pages.ts";
import { addPeople } from "../bench/postgres.ts";
import { Database } from "../src/database/database.ts";
import { auditDifferences, makeCompany, makeDatabase } from "./fixtures.ts";
import { isOnCluster, notOnCluster } from "./on-cluster.ts";
import { canExplain } from "./plans.ts";

/** A day makes 2 000 postings, so that days begin equally far from where sums of statements are kept. */
const shape = { setsPerDay: 2, setSize: 500, until: new Date() };
const fewDays = 4;
const timesAsMany = 10;
/**
 * Of what is read through indexes: between the two they grow by a level at the most. What walked along anything that
 * grows would touch ten times as many.
 */
const pagesMoreMax = 1.5;

const closings: (() => Promise<unknown>)[] = [];
let isPossible = false;
let few: Ground;
let many: Ground;

beforeAll(async () => {
  const made = await makeDatabase();
  isPossible = !isOnCluster() && (await canExplain(made.database));
  await made.drop();
  if (!isPossible) return;
  few = await makeGround(fewDays);
  many = await makeGround(fewDays * timesAsMany);
});

afterAll(async () => {
  for (const close of closings) await close();
});

beforeEach((context) => {
  notOnCluster(context, "pages");
  context.skip(!isPossible, "only a superuser can fill it");
});

async function makeGround(days: number): Promise<Ground> {
  const made = await makeDatabase();
  closings.unshift(() => made.drop());
  const { id: companyId } = await makeCompany(made.database, { fund: 1_000_000_000_000 });
  await addPeople(made.database);
  const book = { ...made, companyId };
  const history = { ...shape, days };
  await fillBooks(book, history, () => {});
  const client = await connect(book);
  closings.unshift(() => client.end());
  const database = new Database({ url: made.url, poolSize: 1 });
  closings.unshift(() => database.close());
  const spots = await findSpots(book, history, 100);
  return { book, history, database, client, spots, count: { accepted: 0 } };
}

test.each(acts.map((act): [string, Act] => [act.what, act]))(
  "%s: touches as many pages after ten times as many transfers",
  async (_, act) => {
    const [before, after] = [await countPages(few, act), await countPages(many, act)];
    expect(before.touched).toBeGreaterThan(0);
    expect(after.touched / before.touched).toBeLessThan(pagesMoreMax);
  },
);

test("what was filled in and what was done there is in order", async () => {
  for (const { database } of [few, many]) expect(await auditDifferences(database)).toEqual([]);
});
