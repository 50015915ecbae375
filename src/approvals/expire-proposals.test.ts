import { expect } from "vitest";
import { deskOf, member, payrollOf, transferOf, trusted } from "../../test/desk.ts";
import { auditDifferences, makeCompany, test } from "../../test/fixtures.ts";
import { giveClock } from "../../test/settable-clock.ts";
import { sql } from "../database/sql.ts";
import { approve, refuse } from "./decide.ts";
import { ProposalExpired } from "./errors.ts";
import { expireProposals } from "./expire-proposals.ts";
import { getProposal, listProposals } from "./find-proposals.ts";
import { proposalCan, waitsUntil } from "./proposal.ts";
import { type Asked, propose } from "./propose.ts";
import { countWaiting } from "./store.ts";

const minuteMs = 60_000;

test("what nobody has decided about within a week has expired: nobody can approve it, and it waits for nobody", async ({
  db,
}) => {
  const { database } = db;
  const clock = await giveClock(db, new Date(Date.UTC(2026, 2, 3, 9)));
  const { id: companyId } = await makeCompany(database);
  const desk = deskOf(database);
  const maker = await member(database, companyId);
  const by = await member(database, companyId);
  const ask = (asked: Asked) => propose(desk, { companyId, by: maker, title: "Paie", asked });
  const decisionOf = ({ id, hash }: { id: string; hash: string }) => ({
    companyId,
    proposalId: id,
    reviewedHash: hash,
    checkPerson: trusted,
    by,
  });
  const waiting = () => listProposals(database, companyId, { isWaiting: true }, { limit: 10 });
  const expired = [await ask(transferOf("rent")), await ask(payrollOf("june", 2))];
  const lastMinute = await ask(transferOf("last-minute"));
  const end = waitsUntil(lastMinute).getTime();

  await clock.moveTo(new Date(end - minuteMs));
  expect((await waiting()).rows).toHaveLength(3);
  expect(await approve(desk, decisionOf(lastMinute))).toMatchObject({ state: "carried_out" });

  await clock.moveTo(new Date(end + minuteMs));
  for (const isWritten of [false, true]) {
    for (const proposal of expired) {
      const found = await getProposal(database, companyId, proposal.id);
      expect(found).toMatchObject({ state: "lapsed", problem: "expired", doneRows: 0 });
      expect(proposalCan.askAgain(found)).toBe(true);
      expect(proposalCan.withdraw(found, maker.personId)).toBe(false);
      await expect(approve(desk, decisionOf(proposal))).rejects.toThrow(ProposalExpired);
      const refusal = refuse(desk, { ...decisionOf(proposal), comment: "non" });
      await expect(refusal).rejects.toThrow(ProposalExpired);
    }
    expect((await waiting()).rows).toEqual([]);
    expect(await countWaiting(database, companyId, 10)).toBe(0);
    expect(await auditDifferences(database)).toEqual([]);
    if (!isWritten) expect(await expireProposals(database, companyId)).toBe(false);
  }
  const states = await database.query(sql`
    select state, problem, count(*)::integer from proposal_states group by state, problem order by state`);
  expect(states).toEqual([
    { state: "lapsed", problem: "expired", count: 2 },
    { state: "carried_out", problem: null, count: 1 },
  ]);
}, 60_000);
