import { afterAll, beforeAll, expect, test } from "vitest";
import { ChargeClient } from "../../test/charges.ts";
import {
  box,
  makeCompany,
  makeCustomer,
  makeDatabase,
  startService,
  type TestDatabase,
  untilSettled,
} from "../../test/fixtures.ts";
import { fillForForgeries } from "../../test/forged-books.ts";
import { forgeries } from "../../test/forgeries.ts";
import { notOnCluster } from "../../test/on-cluster.ts";
import { send } from "../../test/receiver.ts";
import { findSpoiltSince } from "../../test/spoil.ts";
import { auditChecks } from "../audit-checks.ts";
import { openLedgerKey } from "../statements/ledger-key.ts";
import { selectLastCheckpoint } from "./checkpoints-store.ts";
import { type EndedRun, runAudit } from "./run-audit.ts";

const earlier = "2250744444444";
let db: TestDatabase & { drop(): Promise<void> };
/** The checkpoint before what the forgeries are about. */
let checkpoint = "";
const ids: Record<string, string> = {};

beforeAll(async () => {
  db = await makeDatabase();
  await makeCustomer(db.database, earlier, "complete");
  const service = await startService(db, {});
  const company = await makeCompany(db.database, { chargeFeeRatePpm: 10_000 });
  await send(service, company, "earlier", { msisdn: earlier });
  const charges = new ChargeClient(service, company);
  await charges.refund(await charges.paid(), { amount: 4_000 });
  await charges.made({ externalId: "due at the checkpoint" });
  await untilSettled(db.database);
  await service.stop();
  expect(findings(await auditAs(false))).toEqual([]);
  checkpoint = (await selectLastCheckpoint(db.database))?.content ?? "";
  Object.assign(ids, await fillForForgeries(db));
});

afterAll(async () => {
  await db.drop();
});

async function auditAs(isFull: boolean): Promise<EndedRun> {
  return runAudit(db.database, {
    checks: auditChecks,
    key: await openLedgerKey(db.database, box),
    isFull,
    begunAt: new Date(),
    operator: "a test",
  });
}

function findings({ results }: EndedRun): string[] {
  return results.flatMap(({ check, differences }) =>
    differences.map(({ where, expected, found }) => `${check}: ${where}: ${expected}, ${found}`),
  );
}

test("what came after a checkpoint is in order, and was looked at alone", async (context) => {
  notOnCluster(context, "checkpoints");
  const before = await selectLastCheckpoint(db.database);

  const run = await auditAs(false);

  expect(findings(run)).toEqual([]);
  expect(run.continuedFrom).toBe(before?.auditNumber);
  const examined = new Map(run.results.map((result) => [result.check, result.examined]));
  const [count] = await db.database.query<{ transfers: number }>({
    text: "select count(*) as transfers from transfers",
    values: [],
  });
  expect(examined.get("each transfer has the postings of its status, and no other has any")).toBe(
    (count?.transfers ?? 0) - 1,
  );
});

test.each(Object.entries(forgeries))("an audit that continues sees %s", async (_, texts) => {
  const named = texts.map((text) =>
    text.replace(/:(\w+)'/g, (all, name) => (ids[name] === undefined ? all : `${ids[name]}'`)),
  );
  expect(await findSpoiltSince(db.database, checkpoint, ...named)).not.toEqual([]);
});
