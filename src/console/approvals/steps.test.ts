import { expect } from "vitest";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { deskOf, member, transferOf, trusted } from "../../../test/desk.ts";
import { makeCompany, type TestCompany, type TestDatabase, test } from "../../../test/fixtures.ts";
import { fund } from "../../../test/seals.ts";
import { approve } from "../../approvals/decide.ts";
import { getProposal } from "../../approvals/find-proposals.ts";
import { proposalIdPrefix } from "../../approvals/proposal.ts";
import { propose } from "../../approvals/propose.ts";
import { withdrawFromCompany } from "../../companies/move-money.ts";
import { sql } from "../../database/sql.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { balancesOf } from "../../ledger/post.ts";

/** A payment that somebody has prepared. */
async function askFor(
  { database }: TestDatabase,
  { id: companyId }: TestCompany,
  personId: string,
) {
  const by = { personId, address: "192.0.2.7", via: "POST /console" };
  const asked = transferOf("rent", 400_000);
  const { id, hash } = await propose(deskOf(database), { companyId, by, title: "Loyer", asked });
  const read = async () => (await getProposal(database, companyId, id)).state;
  return { id, hash, read, path: `/console/approvals/${toPublicId(proposalIdPrefix, id)}` };
}

/** The same, approved by another person when there was no money for it. */
async function stopFor(db: TestDatabase, company: TestCompany, personId: string) {
  const payment = await askFor(db, company, personId);
  const { available } = await balancesOf(db.database, company.id);
  const taken = { companyId: company.id, amount: available, reference: "all", memo: null };
  await withdrawFromCompany(db.database, new Date(), taken);
  await approve(deskOf(db.database), {
    companyId: company.id,
    proposalId: payment.id,
    reviewedHash: payment.hash,
    by: await member(db.database, company.id),
    checkPerson: trusted,
  });
  expect(await payment.read()).toBe("stopped");
  return payment;
}

test("a payment that waits is withdrawn by whoever prepared it and by nobody else", async ({
  db,
  service,
  company,
}) => {
  const maker = await signIn(db, company.id, "preparer");
  const { path, read } = await askFor(db, company, maker.personId);
  const neighbour = await makeCompany(db.database);
  for (const role of ["owner", "preparer", "approver", "developer", "reader"] as const) {
    const other = new ConsoleClient(service, await signIn(db, company.id, role));
    expect((await other.get(path)).text, role).not.toContain(`${path}/withdraw`);
    expect((await other.post(`${path}/withdraw`)).status, role).toBe(403);
    expect(await read(), role).toBe("waiting");
  }
  const stranger = new ConsoleClient(service, await signIn(db, neighbour.id, "owner"));
  expect((await stranger.post(`${path}/withdraw`)).status).toBe(404);

  const client = new ConsoleClient(service, maker);
  const page = (await client.get(path)).text;
  expect(page).toContain(`${path}/withdraw`);
  expect(page).toContain("Retirer ce paiement");
  expect(page).toContain("À décider avant le");
  expect(page).not.toContain(`${path}/resume`);
  await client.post(`${path}/resume`);
  expect(await read()).toBe("waiting");
  expect((await client.post(`${path}/withdraw`)).status).toBe(303);
  expect(await read()).toBe("withdrawn");
  expect((await client.get(path)).text).toContain("Retiré. Rien n’a été envoyé.");
});

test("a single payment that was stopped goes on when what stood in the way is gone, and is made once", async ({
  db,
  service,
  company,
}) => {
  const { path, read } = await stopFor(
    db,
    company,
    (await signIn(db, company.id, "preparer")).personId,
  );
  for (const role of ["approver", "reader"] as const) {
    const other = new ConsoleClient(service, await signIn(db, company.id, role));
    for (const step of ["resume", "withdraw"])
      expect((await other.post(`${path}/${step}`)).status, role).toBe(403);
  }
  // Whoever may prepare a payment may go on with one that was approved.
  const who = await signIn(db, company.id, "preparer");
  const client = new ConsoleClient(service, who, { "accept-language": "en" });
  expect((await client.get(path)).text).toContain("Resume sending");
  await client.post(`${path}/resume`);
  expect(await read()).toBe("stopped");
  expect((await client.get(path)).text).toContain("Still not sent. The balance does not cover");

  await fund(db, company.id, 500_000);
  await Promise.all([client.post(`${path}/resume`), client.post(`${path}/resume`)]);
  expect(await read()).toBe("carried_out");
  const made = await db.database.query(sql`select amount from transfers where reference = 'rent'`);
  expect(made).toEqual([{ amount: 400_000 }]);
});

test("a single payment that was stopped can be given up instead", async ({
  db,
  service,
  company,
}) => {
  const maker = await signIn(db, company.id, "preparer");
  const { path, read } = await stopFor(db, company, maker.personId);
  const client = new ConsoleClient(service, maker);
  expect((await client.get(path)).text).toContain("Reprendre l’envoi");
  await client.post(`${path}/withdraw`);
  expect(await read()).toBe("withdrawn");
  await fund(db, company.id, 500_000);
  await client.post(`${path}/resume`);
  expect(await read()).toBe("withdrawn");
  expect(await balancesOf(db.database, company.id)).toMatchObject({ available: 500_000 });
});
