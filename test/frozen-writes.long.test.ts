import { expect, onTestFinished } from "vitest";
import { sql } from "../src/database/sql.ts";
import { makeBelongings, openSink } from "../torture/api/belongings.ts";
import { exampleBody } from "../torture/api/blueprint.ts";
import { ask } from "../torture/api/client.ts";
import { fetchDocument, readOperations } from "../torture/api/document.ts";
import { addressesOf } from "./addresses.ts";
import { startService, test } from "./fixtures.ts";
import { contentsOf } from "./table-contents.ts";

/** What notes that somebody asked, and moves nothing. */
const notes = { key_details: ["used_at"] };
const logs: ReadonlySet<string> = new Set(["request_log", "quotas"]);

// A node remembers whom it has let in. So each write has to look at the books itself, whether or not it writes into the audit log.
test("of a frozen company no operation changes anything, at a node that has not heard of the freeze", async ({
  db,
  company,
}) => {
  const sink = await openSink();
  onTestFinished(() => sink.close());
  const { accessToken: token } = company;
  const whole = await startService(db);
  const things = await makeBelongings(whole.url, token, "mark", sink);
  await whole.stop();
  let service = await startService(db, { ROLES: "api" });
  onTestFinished(() => service.stop());
  const setFrozen = (isFrozen: boolean) =>
    db.database.execute(sql`update books set is_frozen = ${isFrozen}`);
  /** The node has just let the company in, and remembers it. */
  const freezeUnheard = async () => {
    await setFrozen(false);
    if ((await service.call("GET", "/v1/balance", { token })).status !== 200) {
      await service.stop();
      service = await startService(db, { ROLES: "api" });
      expect((await service.call("GET", "/v1/balance", { token })).status).toBe(200);
    }
    await setFrozen(true);
  };

  const wrong: string[] = [];
  let tried = 0;
  for (const operation of readOperations(await fetchDocument(service.url))) {
    if (operation.method === "GET" || !operation.needsToken) continue;
    await freezeUnheard();
    const before = await contentsOf(db, notes);
    const statuses: number[] = [];
    for (const address of addressesOf(operation, things, 1)) {
      tried += 1;
      const body = exampleBody(operation, `frozen-${tried}`);
      statuses.push((await ask(service.url, operation.method, address, { token, body })).status);
    }
    const after = await contentsOf(db, notes);
    const changed = Object.keys(after).filter(
      (table) => !logs.has(table) && after[table] !== before[table],
    );
    if (changed.length > 0)
      wrong.push(
        `${operation.method} ${operation.path}: ${statuses.join()}, changed ${changed.join(", ")}`,
      );
  }

  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(20);
});
