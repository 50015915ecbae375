import fc from "fast-check";
import { act, type Plan, pickLast } from "./act.ts";
import { actor, number, sessionOf } from "./actor.ts";
import { introducersOf, permit } from "./authority.ts";
import { companies, nameOf } from "./cast.ts";
import { proposalIn, type State, sessionIn, Violation } from "./state.ts";

const amount = 5_000;

export const createKey = actor.map(
  (by): Plan =>
    async (state, world) => {
      const session = await sessionOf(state, world, by, "keys.manage");
      return (
        session &&
        act(
          "keys made",

          `${nameOf(session.address)} makes a key`,
          (at) => world.adapter.createKey(at, session.token),
          (now) => {
            const where = permit(now, session, "keys.manage");
            now.keys.push({ company: where, madeBy: session.address });
          },
        )
      );
    },
);

export const propose = actor.map(
  (by): Plan =>
    async (state, world) => {
      const session = await sessionOf(state, world, by, "transfers.propose");
      return (
        session &&
        act(
          "payments asked for",

          `${nameOf(session.address)} asks ${companies[session.company ?? -1] ?? ""} for a payment`,
          (at) => world.adapter.propose(at, session.token, amount),
          (now, { id, hash, isWaiting }) => {
            const where = permit(now, session, "transfers.propose");
            if (!isWaiting && (now.aloneMax[where] ?? 0) < amount)
              throw new Violation("second self", "one person pays out alone");
            now.proposals.push({
              id,
              hash,
              company: where,
              madeBy: session.address,
              hands: [session.address],
              humans: [session.holder],
              isWaiting,
            });
          },
        )
      );
    },
);

export const decide = fc
  .record({ by: actor, which: number, verdict: fc.constantFrom("approve", "approve", "refuse") })
  .map(
    ({ by, which, verdict }): Plan =>
      async (state, world) => {
        const asked = state.proposals.filter(({ company }) => company === by.where);
        const waiting = asked.filter(({ isWaiting }) => isWaiting);
        const proposal = pickLast(by.isOld || waiting.length === 0 ? asked : waiting, which);
        if (proposal === undefined) return undefined;
        const session = await sessionOf(state, world, by, "approvals.decide");
        if (session === undefined) return undefined;
        const secret = state.accounts[session.address]?.factor?.secret;
        if (secret === undefined) return undefined;
        return act(
          "payments decided",

          `${nameOf(session.address)} ${verdict}s the payment of ${nameOf(proposal.madeBy)}`,
          (at) => world.adapter.decide(at, session.token, proposal, verdict, secret),
          (now) => judgeDecision(now, session.token, proposal.id),
        );
      },
  );

/** Two people: neither the same account, nor one that the other let in, nor two accounts of one human. */
function judgeDecision(state: State, token: string, id: string): void {
  const session = sessionIn(state, { token });
  const proposal = proposalIn(state, { id });
  const where = permit(state, session, "approvals.decide");
  const who = nameOf(session.address);
  if (!proposal.isWaiting)
    throw new Violation("ended payment", `${who} decided about a payment that was over`);
  if (where !== proposal.company)
    throw new Violation("membership", `${who} decided about another company's payment`);
  if (proposal.hands.includes(session.address))
    throw new Violation("four eyes", `${who} decided about an own payment`);
  if (proposal.humans.includes(session.holder))
    throw new Violation("second self", `${who} is the human who asked for the payment`);
  const introducers = introducersOf(state, where, session.address);
  const hand = proposal.hands.find((one) => introducers.includes(one));
  if (hand !== undefined)
    throw new Violation(
      "four eyes",
      `${who} decided about a payment of ${nameOf(hand)}, who let them in`,
    );
  proposal.isWaiting = false;
}
