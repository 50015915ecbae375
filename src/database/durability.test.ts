import { expect, onTestFinished, test as plainTest } from "vitest";
import { productionSettings, test } from "../../test/fixtures.ts";
import { readConfig } from "../config.ts";
import type { DurabilityName } from "../kernel/durability-names.ts";
import { Metrics, textOf } from "../kernel/metrics.ts";
import { Database } from "./database.ts";
import { databaseMetrics } from "./database-metrics.ts";
import { Durability } from "./durability.ts";
import { DatabaseUnreachable } from "./errors.ts";
import { reachDatabase } from "./reach-database.ts";
import { sql } from "./sql.ts";

const good = {
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  synchronous_standby_names: "ANY 1 (a,b)",
};

plainTest.each([
  [{}, 1, undefined],
  [{ synchronous_commit: "remote_apply" }, 2, undefined],
  [{ fsync: "off" }, 1, "fsync is off"],
  [{ full_page_writes: "off" }, 2, "full_page_writes is off"],
  [{ synchronous_commit: "remote_write" }, 1, "synchronous_commit is remote_write"],
  [{ synchronous_commit: "local" }, 1, "synchronous_commit is local"],
  [{ synchronous_standby_names: "" }, 1, undefined],
  [{ synchronous_standby_names: " " }, 2, "synchronous_standby_names is"],
  [{ fsync: "off", full_page_writes: "off" }, 1, "fsync is off, full_page_writes is off"],
])("a start of production with %o on %i servers: %s", (changed, servers, problem) => {
  const values = { ...good, ...changed };
  const strict = new Durability({ isRequired: true, needsStandby: true });
  const said = strict.problemWith(values, servers);
  if (problem === undefined) expect(said).toBeUndefined();
  else expect(said).toContain(problem);
  const lacking = Object.keys(changed) as DurabilityName[];
  if (problem !== undefined) {
    expect(strict.lacking.toSorted()).toEqual(lacking.toSorted());
    expect(said).toContain(`PAYMENTS_MAY_BE_LOST_WITHOUT=${strict.lacking.join(",")}`);
  }

  // Staging takes any database, and knows what it has.
  const staging = new Durability({ isRequired: false });
  expect(staging.problemWith(values, servers)).toBeUndefined();
  expect(staging.lacking).toEqual(strict.lacking);
  // What was accepted is neither refused nor watched.
  const accepting = new Durability({
    isRequired: true,
    needsStandby: true,
    accepted: new Set(lacking),
  });
  expect(accepting.problemWith(values, servers)).toBeUndefined();
  expect(accepting.lacking).toEqual([]);
  expect(accepting.watched).not.toEqual(expect.arrayContaining(["never", ...lacking]));
});

test("a session waits for its commits whatever was set for the server, the database, the role or in the address", async ({
  db,
}) => {
  const askWith = async (url: string) => {
    const database = new Database({ url, poolSize: 1 });
    onTestFinished(() => database.close());
    return database.query(sql`select current_setting('synchronous_commit') as waits`);
  };
  const name = new URL(db.url).pathname.slice(1);
  for (const value of ["off", "local", "remote_write"]) {
    expect(await askWith(withOption(db.url, value))).toEqual([{ waits: "on" }]);
    await db.database.query({
      text: `alter database ${name} set synchronous_commit = ${value}`,
      values: [],
    });
    expect(await askWith(db.url)).toEqual([{ waits: "on" }]);
  }
  // What is more than enough stays.
  expect(await askWith(withOption(db.url, "remote_apply"))).toEqual([{ waits: "remote_apply" }]);
});

test("of several servers, one that waits for no standby is refused at a start, and only watched afterwards", async ({
  db,
}) => {
  const { host, port } = new URL(db.url);
  const url = db.url.replace(host, `127.0.0.1:${port},localhost:${port}`);
  const accepted = new Set<DurabilityName>(["fsync", "full_page_writes"]);
  const durability = new Durability({ isRequired: true, accepted, needsStandby: true });
  const complaints: string[] = [];
  const database = new Database({
    url,
    poolSize: 2,
    durability,
    onGraveProblem: (message) => void complaints.push(message),
  });
  onTestFinished(() => database.close());

  const refused = await reachDatabase(database, 0, () => {}).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(DatabaseUnreachable);
  expect(String(refused)).toContain("synchronous_standby_names is empty");
  expect(complaints.join()).toContain("may lose payments that it has acknowledged");
  expect(database.servers.graveProblem).toContain("synchronous_standby_names");
  expect(database.servers.hasLeftBehind).toBe(false);
  const metrics = new Metrics();
  const { look, ask } = databaseMetrics(database, metrics, new Metrics());
  look();
  const shown = 'cauri_database_not_durable{setting="synchronous_standby_names"} 1';
  expect(textOf(metrics.families())).toContain(shown);
  expect(textOf(metrics.families())).toContain("cauri_database_left_behind 0");

  durability.needsStandby = false;
  await reachDatabase(database, 0, () => {});
  await ask();
  look();
  expect(textOf(metrics.families())).toContain(shown);
  expect(textOf(metrics.families())).toContain(
    'cauri_database_not_durable{setting="synchronous_commit"} 0',
  );
  expect(textOf(metrics.families())).not.toContain('cauri_database_not_durable{setting="fsync"}');
});

plainTest("what may be lost is named, one by one; synchronous_commit cannot be", () => {
  const read = (named: string) =>
    readConfig({
      ...productionSettings({ url: "postgres://db/cauri" }),
      PAYMENTS_MAY_BE_LOST_WITHOUT: named,
    }).lossesAccepted;
  expect([...read("fsync, synchronous_standby_names")]).toEqual([
    "fsync",
    "synchronous_standby_names",
  ]);
  expect(read("").size).toBe(0);
  for (const wrong of ["synchronous_commit", "yes", "fsync;full_page_writes"])
    expect(() => read(wrong)).toThrow(
      "PAYMENTS_MAY_BE_LOST_WITHOUT must be a list of fsync, full_page_writes",
    );
});

function withOption(url: string, value: string): string {
  return `${url}?options=${encodeURIComponent(`-c synchronous_commit=${value}`)}`;
}
