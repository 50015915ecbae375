import { expect } from "vitest";
import { test } from "../../test/fixtures.ts";
import { readClusterState } from "./cluster.ts";
import { NotACluster } from "./errors.ts";
import { shardDatabase } from "./shard-database.ts";

// What else is refused needs a real cluster.
test("a server without the extension is refused with a sentence, and nothing is changed", async ({
  db: { database },
}) => {
  const isCluster = (await readClusterState(database)) !== "alone";
  const splitting = shardDatabase(database, { shards: 4, tell: () => {} });
  if (isCluster) return expect(splitting).rejects.toThrow(/split by company already/);

  await expect(splitting).rejects.toThrow(NotACluster);
  await expect(splitting).rejects.toThrow(/has no Citus.*Nothing was changed/);
  expect(await readClusterState(database)).toBe("alone");
});
