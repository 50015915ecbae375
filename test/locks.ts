import pg from "pg";
import { onTestFinished } from "vitest";
import type { TestDatabase } from "./fixtures.ts";

/** Locks what the statement selects until the answered function is called, or the test is over. */
export async function holdLock({ url }: Pick<TestDatabase, "url">, select: string) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("begin");
  await client.query(`${select} for update`);
  return async () => {
    await client.query("rollback");
  };
}
