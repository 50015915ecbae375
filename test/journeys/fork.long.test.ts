import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { expect, onTestFinished } from "vitest";
import { sql } from "../../src/database/sql.ts";
import { makeDatabase, type TestDatabase, test } from "../fixtures.ts";
import { rewriteHistory } from "../history.ts";
import { passTriggers } from "../past-triggers.ts";
import { makeDataDir, runCommand } from "../process.ts";

/** The books go on after a backup, a day of them is sealed, then the backup is restored and goes on in another way. */
test("a history that was restored and went on is told by the seals that were kept", async ({
  db,
}) => {
  const dataDir = await makeDataDir();
  const restored = await makeDatabase("template0");
  onTestFinished(() => restored.drop());
  const masterKey = randomBytes(32).toString("hex");
  const on =
    ({ url }: Pick<TestDatabase, "url">) =>
    async (...args: string[]) => {
      const done = await runCommand(dataDir, [...args, "--json"], {
        DATABASE_URL: url,
        MASTER_KEY: masterKey,
      });
      return { code: done.code, stderr: done.stderr, said: JSON.parse(done.stdout || "null") };
    };
  const [first, second] = [on(db), on(restored)];
  const { companyId } = (await first("company", "create", "Awa", "--fund", "5000")).said;
  const [row] = await db.database.query<{ company_id: string }>(sql`
    select company_id from companies`);
  const uuid = row?.company_id ?? "";
  // A day that both histories have, so that not everything is new to what was kept.
  await daysAgo(db, uuid, 3, 1);
  const common = (await first("seal")).said.sealed;
  await first("company", "fund", companyId, "100", "--yes");
  expect(await first("backup", `${dataDir}/early.backup`)).toMatchObject({ code: 0 });
  for (const amount of ["200", "300", "400"])
    await first("company", "fund", companyId, amount, "--yes");
  await daysAgo(db, uuid, 2, 2);
  const { sealed } = (await first("seal")).said;
  expect(sealed).toMatchObject([{ number: 5, balance: 6_000 }]);

  const done = await second("restore", `${dataDir}/early.backup`);

  expect(done.code, done.stderr).toBe(0);
  expect(done.said).toMatchObject({ lastSeals: common, ledgerKeys: [] });
  await daysAgo(restored, uuid, 2, 2);
  const other = (await second("seal")).said.sealed;
  expect(other).toMatchObject([{ day: sealed[0].day, number: 2, balance: 5_100 }]);
  await second("company", "fund", companyId, "7", "--yes");

  const kept = `${dataDir}/seals.json`;
  await writeFile(kept, JSON.stringify([...common, ...sealed]));
  const key = `${dataDir}/key.json`;
  const { keyId: id, publicKey } = sealed[0];
  await writeFile(key, JSON.stringify({ keys: [{ id, publicKey }] }));
  for (const format of ["csv", "xlsx", "pdf"]) {
    const file = (name: string) => `${dataDir}/${name}.${format}`;
    const exporting = ["statement", "export", companyId, "--format", format, "--output"];
    await first(...exporting, file("whole"));
    await second(...exporting, file("fork"));
    const whole = await first("verify", file("whole"), "--seals", kept, "--key", key);
    expect([whole.code, whole.said]).toMatchObject([0, { verified: true, witnesses: 2 }]);
    for (const more of [[], ["--key", key]]) {
      const fork = await second("verify", file("fork"), "--seals", kept, ...more);
      expect([fork.code, fork.said]).toMatchObject([
        1,
        { verified: false, problem: { what: "forked" } },
      ]);
    }
    // A file that does not reach into the day on which the histories part, and no seal of its own days.
    await second(
      ...exporting,
      file("later"),
      "--from",
      new Date(Date.now() - 60_000).toISOString(),
    );
    await writeFile(`${dataDir}/one.json`, JSON.stringify(common));
    const none = await second(
      "verify",
      file("later"),
      "--seals",
      `${dataDir}/one.json`,
      "--key",
      key,
    );
    expect([none.code, none.said]).toMatchObject([
      5,
      { verified: false, consistent: true, why: expect.stringContaining("1 of days before") },
    ]);
  }

  const audited = async (run: typeof first, file: string) => {
    const { said } = await run("audit", "--seals", file);
    const [check] = said.checks.filter(({ check: name }: { check: string }) =>
      name.startsWith("the seals that were kept"),
    );
    return [said.clean, check.examined, check.differences];
  };
  expect(await audited(first, kept)).toEqual([true, 2, []]);
  expect(await audited(second, kept)).toEqual([
    false,
    2,
    [
      {
        where: `seal kept for ${sealed[0].day} of company ${companyId}`,
        expected: expect.stringContaining("posting 5, balance 6000, hash "),
        found: expect.stringContaining("another history: posting 2, balance 5100, hash "),
      },
    ],
  ]);
});

test("restored with another master key, nobody can tell whose the ledger keys are, and that is said", async ({
  db,
}) => {
  const dataDir = await makeDataDir();
  const there = await makeDatabase("template0");
  onTestFinished(() => there.drop());
  const keyed = ({ url }: Pick<TestDatabase, "url">) => ({
    DATABASE_URL: url,
    MASTER_KEY: randomBytes(32).toString("hex"),
  });
  const settings = keyed(db);
  await runCommand(dataDir, ["company", "create", "Awa"], settings);
  expect((await runCommand(dataDir, ["seal"], settings)).code).toBe(0);
  const path = `${dataDir}/cauri.backup`;
  await runCommand(dataDir, ["backup", path], settings);
  const other = keyed(there);

  const refused = await runCommand(dataDir, ["restore", path], other);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("master key")]);
  const done = await runCommand(dataDir, ["restore", path, "--without-master-key"], other);

  expect(done.code, done.stderr).toBe(0);
  expect(done.stdout).toContain("KEYS THAT ARE NOT KNOWN TO BE THE OPERATOR'S");
  const audited = await runCommand(dataDir, ["audit"], other);
  expect([audited.code, audited.stdout]).toEqual([
    1,
    expect.stringContaining("set MASTER_KEY or DATA_DIR as the service has it"),
  ]);
});

/** As if all postings from this number on had been made so many days ago. */
async function daysAgo(
  { database }: Pick<TestDatabase, "database">,
  companyId: string,
  days: number,
  from: number,
) {
  await rewriteHistory(database, companyId, (posting) => ({
    ...posting,
    at: posting.number < from ? posting.at : new Date(posting.at.getTime() - days * 86_400_000),
  }));
  await database.query(sql`update statement_progress set seal_after = '-infinity'`);
  await database.transaction(async (tx) => {
    await passTriggers(tx);
    await tx.query(sql`
      update fundings f set created_at = p.created_at from postings p
      where p.company_id = f.company_id and p.subject_id = f.id`);
  });
}
