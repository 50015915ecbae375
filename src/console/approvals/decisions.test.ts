import { expect } from "vitest";
import { giveAuthenticator } from "../../../test/authenticator.ts";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { deskOf, member, transferOf } from "../../../test/desk.ts";
import { type TestCompany, type TestDatabase, test } from "../../../test/fixtures.ts";
import { holdChange, untilLockAwaited } from "../../../test/locks.ts";
import { getProposal } from "../../approvals/find-proposals.ts";
import { proposalIdPrefix } from "../../approvals/proposal.ts";
import { propose } from "../../approvals/propose.ts";
import { toPublicId } from "../../kernel/ids.ts";

async function askFor({ database }: TestDatabase, { id: companyId }: TestCompany, name: string) {
  const { id, hash } = await propose(deskOf(database), {
    companyId,
    by: await member(database, companyId),
    title: name,
    asked: transferOf(name),
  });
  return {
    path: `/console/approvals/${toPublicId(proposalIdPrefix, id)}`,
    hash,
    read: () => getProposal(database, companyId, id),
  };
}

test("a wrong code neither approves nor refuses, and after ten of them the session ends", async ({
  db,
  service,
  company,
}) => {
  const who = await signIn(db, company.id, "approver");
  const code = await giveAuthenticator(db.database, who);
  const client = new ConsoleClient(service, who);
  const { path, hash, read } = await askFor(db, company, "rent");
  for (const wrong of ["", "000000", "not a code"]) {
    await client.post(`${path}/approve`, { hash, code: wrong });
    await client.post(`${path}/refuse`, { hash, code: wrong, comment: "non" });
  }
  expect(await read()).toMatchObject({ state: "waiting", decision: null });

  for (let tries = 0; tries < 6; tries += 1)
    await client.post(`${path}/approve`, { hash, code: "000000" });
  await client.post(`${path}/approve`, { hash, code: await code() });

  expect(await read()).toMatchObject({ state: "waiting", decision: null });
  expect((await client.get(path)).location).toMatch(/^\/console\/login/);
  const again = new ConsoleClient(service, await signIn(db, company.id, "approver", who.email));
  await again.post(`${path}/approve`, { hash, code: await code() });
  expect(await read()).toMatchObject({
    decision: { verdict: "approved", decidedBy: who.personId },
  });
});

test("the role is looked at again when the decision is made, whatever it was when the form came", async ({
  db,
  service,
  company,
}) => {
  for (const verb of ["approve", "refuse"] as const) {
    const who = await signIn(db, company.id, "approver");
    const code = await giveAuthenticator(db.database, who);
    const { path, hash, read } = await askFor(db, company, verb);
    const commit = await holdChange(
      db,
      `update memberships set role = 'reader' where person_id = '${who.personId}'`,
    );
    const form = { hash, code: await code(), comment: "non" };
    const sent = new ConsoleClient(service, who).post(`${path}/${verb}`, form);
    await untilLockAwaited(db.database);
    await commit();
    await sent;

    expect(await read()).toMatchObject({ state: "waiting", decision: null });
  }
});
