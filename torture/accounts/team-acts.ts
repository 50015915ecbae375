import fc from "fast-check";
import { act, type Plan, pickLast } from "./act.ts";
import { actor, address, company, number, role, sessionOf } from "./actor.ts";
import {
  givesPower,
  hasAnother,
  introducersOf,
  isTaken,
  leave,
  letIn,
  permit,
} from "./authority.ts";
import { companies, nameOf, operatorHuman } from "./cast.ts";
import { signedIn } from "./sign-in.ts";
import {
  accountOf,
  type RequestState,
  requestIn,
  roleIn,
  type SessionState,
  type State,
  sessionIn,
  Violation,
} from "./state.ts";

export const remove = fc.record({ by: actor, whom: address }).map(
  ({ by, whom }): Plan =>
    async (state, world) => {
      const session = await sessionOf(state, world, by, "team.manage");
      return (
        session &&
        act(
          "removed",

          `${nameOf(session.address)} removes ${nameOf(whom)} from ${companies[session.company ?? -1] ?? ""}`,
          (at) => world.adapter.removeMember(at, session.token, world.emails[whom] ?? ""),
          (now) => {
            const where = permit(now, session, "team.manage");
            leave(now, where, whom);
          },
        )
      );
    },
);

export const removeByOperator = fc.record({ where: company, whom: address }).map(
  ({ where, whom }): Plan =>
    async (state, world) =>
      roleIn(state, where, whom) === null
        ? undefined
        : act(
            "removed",

            `the operator removes ${nameOf(whom)} from ${companies[where] ?? ""}`,
            (at) =>
              world.adapter.removeByOperator(
                at,
                world.emails[whom] ?? "",
                world.companyIds[where] ?? "",
              ),
            (now) => {
              leave(now, where, whom);
            },
          ),
);

export const changeRole = fc.record({ by: actor, whom: address, as: role }).map(
  ({ by, whom, as }): Plan =>
    async (state, world) => {
      const session = await sessionOf(state, world, by, "team.manage");
      return (
        session &&
        act(
          "roles changed",

          `${nameOf(session.address)} makes ${nameOf(whom)} ${as}`,
          (at) => world.adapter.changeRole(at, session.token, world.emails[whom] ?? "", as),
          (now, { request }) => {
            const where = permit(now, session, "team.manage");
            const before = roleIn(now, where, whom);
            if (before === null || before === as) return;
            if (request !== undefined) {
              const wanted = { about: whom, role: as, aloneMax: null };
              ask(now, session, request, where, wanted);
              return;
            }
            if (givesPower(before, as))
              throw new Violation("two powers", `${nameOf(whom)} is ${as} by the word of one`);
            letIn(now, where, whom, as, null);
          },
        )
      );
    },
);

export const changeRule = fc
  .record({ by: actor, amount: fc.constantFrom(0, 5_000, 1_000_000) })
  .map(
    ({ by, amount }): Plan =>
      async (state, world) => {
        const session = await sessionOf(state, world, by, "team.manage");
        return (
          session &&
          act(
            "rules changed",

            `${nameOf(session.address)} lets one person pay out ${amount}`,
            (at) => world.adapter.changeRule(at, session.token, amount),
            (now, { request }) => {
              const where = permit(now, session, "team.manage");
              if (request !== undefined) {
                ask(now, session, request, where, { about: null, role: null, aloneMax: amount });
                return;
              }
              if (amount > (now.aloneMax[where] ?? 0))
                throw new Violation("two powers", "a rule is raised by the word of one");
              now.aloneMax[where] = amount;
            },
          )
        );
      },
  );

function ask(
  state: State,
  session: Pick<SessionState, "token">,
  id: string,
  where: number,
  wanted: Pick<RequestState, "about" | "role" | "aloneMax">,
): void {
  const { address: by, holder } = sessionIn(state, session);
  state.requests.push({ id, company: where, by, human: holder, ...wanted, isOpen: true });
}

const verdict = fc.constantFrom("confirm", "confirm", "confirm", "refuse");

export const decideRequest = fc.record({ by: actor, which: number, verdict }).map(
  ({ by, which, verdict: word }): Plan =>
    async (state, world) => {
      const request = pickLast(
        state.requests.filter(({ company: where }) => where === by.where),
        which,
      );
      const session = request && (await sessionOf(state, world, by, "team.manage"));
      if (request === undefined || session === undefined) return undefined;
      // Without a company it would be the operator who decides, which is an act of its own.
      if (session.address === operatorAddress && session.company === null) return undefined;
      // Somebody who has no part in it knows the people, and lets nobody in a second time.
      const isParty = session.holder === request.human || isAbout(state, request, session.holder);
      if (word === "confirm" && !isParty && isDoubtful(state, request)) return undefined;
      return act(
        "requests decided",

        `${nameOf(session.address)} ${word}s what ${nameOf(request.by)} asked for`,
        (at) => world.adapter.decideRequest(at, session.token, request.id, word),
        (now) => {
          const where = permit(now, session, "team.manage", word === "confirm");
          if (where !== request.company)
            throw new Violation("membership", "a request of another company was decided");
          judgeConfirmation(now, request, session.token, word);
        },
      );
    },
);

/** Typed, or in the console: the operator is another power, and not one of those who cheat. */
export const decideByOperator = fc.record({ which: number, verdict, isTyped: fc.boolean() }).map(
  ({ which, verdict: word, isTyped }): Plan =>
    async (state, world) => {
      const request = pickLast(state.requests, which);
      if (request === undefined || request.human === operatorHuman) return undefined;
      if (word === "confirm" && isDoubtful(state, request)) return undefined;
      const session = isTyped ? undefined : await signedIn(state, world, operatorAddress);
      if (session !== undefined && session.company !== null) return undefined;
      return act(
        "requests decided",

        `the operator ${word}s what ${nameOf(request.by)} asked for`,
        (at) =>
          session === undefined
            ? world.adapter.decideByOperator(at, request.id, word)
            : world.adapter.decideRequest(at, session.token, request.id, word),
        (now) => {
          if (session !== undefined && !sessionIn(now, session).isLive)
            throw new Violation("ended session", "an ended session of the operator decided");
          judgeConfirmation(now, request, undefined, word);
        },
      );
    },
);

/** Whether whoever is asked would find out, by asking the human, that this is not another person. */
function isDoubtful(state: State, { about, company: where }: RequestState): boolean {
  return about !== null && (hasAnother(state, where, about) || isTaken(state, about));
}

function isAbout(state: State, { about }: RequestState, human: number): boolean {
  return about !== null && accountOf(state, about).controller === human;
}

/** Two powers: neither the same account, nor one that the other let in, nor two accounts of one human. */
function judgeConfirmation(
  state: State,
  asked: RequestState,
  token: string | undefined,
  word: string,
): void {
  const request = requestIn(state, asked);
  const { company: where, by, about } = request;
  if (!request.isOpen) throw new Violation("ended request", "a request was decided that was over");
  request.isOpen = false;
  if (word === "refuse") return;
  const session = token === undefined ? undefined : sessionIn(state, { token });
  if (session !== undefined) {
    const parties = about === null ? [by] : [by, about];
    const introducers = introducersOf(state, where, session.address);
    if (parties.includes(session.address) || parties.some((one) => introducers.includes(one)))
      throw new Violation("two powers", `${nameOf(session.address)} confirmed what is their own`);
    if (session.holder === request.human || isAbout(state, request, session.holder))
      throw new Violation("second self", `${nameOf(session.address)} is the human who asked`);
  }
  if (about !== null && request.role !== null) letIn(state, where, about, request.role, by);
  else state.aloneMax[where] = request.aloneMax ?? 0;
}

const operatorAddress = 7;
