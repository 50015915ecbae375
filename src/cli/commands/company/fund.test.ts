import { expect, onTestFinished } from "vitest";
import { auditDifferences, test } from "../../../../test/fixtures.ts";
import { TcpProxy } from "../../../../torture/network/tcp-proxy.ts";
import { readConfig } from "../../../config.ts";
import { Database } from "../../../database/database.ts";
import type { Context } from "../../context.ts";
import { MovementOutcomeUnknown } from "../../errors.ts";
import { fundCompanyCommand } from "./fund.ts";

test("when the answer to the commit is lost, the command names the reference to repeat, and the money comes in once", async ({
  db,
  company,
}) => {
  const proxy = await TcpProxy.before(db.url);
  const database = new Database({ url: proxy.rewrite(db.url), poolSize: 1 });
  onTestFinished(async () => {
    await database.close();
    await proxy.close().catch(() => {});
  });
  const context = { database, config: readConfig({}) } as Context;

  proxy.set("lose the answer");
  const lost = await fundCompanyCommand(context, company.id, 5_000, {}).catch(
    (error: unknown) => error,
  );
  expect(lost).toBeInstanceOf(MovementOutcomeUnknown);
  const reference = /--reference "([^"]+)"/.exec(String(lost))?.[1];
  expect(reference).toBeDefined();

  const again = await fundCompanyCommand(context, company.id, 5_000, {
    reference: reference ?? "",
  });
  expect(again.value).toMatchObject({ balance: 1_005_000, replayed: true, reference });
  expect(again.text).toContain("Nothing added: 5 000 XOF came in under this reference on 2");
  expect(again.text).toContain(" (Africa/Dakar); the balance is ");
  expect(await auditDifferences(db.database)).toEqual([]);
});
