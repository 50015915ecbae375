import { expect, onTestFinished } from "vitest";
import { test } from "../../test/fixtures.ts";
import { patience } from "../../test/receiver.ts";
import { Signals } from "../database/signals.ts";
import { operator } from "../trail/actor.ts";
import { accessTokenChannel, listKeys, revokeKey } from "./credentials.ts";
import { freezeCompany, unfreezeCompany } from "./freeze-company.ts";

/** Of a program that ends before it could send anything by a statement of its own. */
class Silent extends Signals {
  override send(): Promise<void> {
    return new Promise(() => {});
  }
}

test("a program that dies right after its commit has told every node of the key it revoked and the company it froze", async ({
  db,
  company,
}) => {
  const heard: string[] = [];
  const node = new Signals(db.url, db.database);
  node.on(accessTokenChannel, (payload) => heard.push(payload));
  await node.start();
  onTestFinished(() => node.close());
  const silent = new Silent(db.url, db.database);
  const by = operator("a test");

  const [key] = await listKeys(db.database, company.id);
  await revokeKey(db.database, silent, String(key?.key_id));
  await expect.poll(() => heard, patience).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  await freezeCompany(db.database, silent, company.id, by);
  await expect.poll(() => heard.slice(1), patience).toEqual([""]);
  await unfreezeCompany(db.database, silent, company.id, by);
  await expect.poll(() => heard.slice(2), patience).toEqual([""]);

  // What is taken back is told to nobody: the next thing that is heard is what was sent after it.
  const undone = db.database.transaction(async (tx) => {
    await silent.sendAtCommit(tx, accessTokenChannel, "undone");
    throw new Error("taken back");
  });
  await expect(undone).rejects.toThrow("taken back");
  await node.send(accessTokenChannel, "after it");
  await expect.poll(() => heard.slice(3), patience).toEqual(["after it"]);
});
