import fc from "fast-check";
import { act, type Plan, pick } from "./act.ts";
import { actor, number, sessionOf } from "./actor.ts";
import { nameOf } from "./cast.ts";
import { setFactor, signIn, stepUp, takeSecondStep } from "./sign-in.ts";
import { sessionIn } from "./state.ts";

/** A password that somebody knows, which may have been replaced since, at the address it was chosen for. */
export const tryPassword = number.map(
  (which): Plan =>
    async (_, world) => {
      const password = pick(world.passwords, which);
      return password && signIn(world, password.address, password);
    },
);

/** Whoever has only shown the password goes on with an app that they had at some time. */
export const trySecondStep = fc.record({ which: number }).map(
  ({ which }): Plan =>
    async (state, world) => {
      const half = pick(
        state.sessions.filter(({ isOpen }) => !isOpen),
        which,
      );
      const secret = half && state.accounts[half.address]?.factor?.secret;
      return half && secret !== undefined ? takeSecondStep(world, half, secret) : undefined;
    },
);

export const renewFactor = fc.record({ by: actor, isKnown: fc.boolean() }).map(
  ({ by, isKnown }): Plan =>
    async (state, world) => {
      const session = await sessionOf(state, world, by, "transfers.read");
      const current = session && state.accounts[session.address]?.factor?.secret;
      return session && setFactor(world, session, isKnown ? current : undefined);
    },
);

/** Minutes pass in which nothing is asked for. */
export const goStale = actor.map(
  (by): Plan =>
    async (state, world) => {
      const session = await sessionOf(state, world, by, "team.manage");
      return (
        session &&
        act(
          "grown stale",
          `${nameOf(session.address)} goes for a coffee`,
          (at) => world.adapter.goStale(at, session.token),
          (now) => {
            sessionIn(now, session).isFresh = false;
          },
        )
      );
    },
);

export const tryStepUp = actor.map(
  (by): Plan =>
    async (state, world) => {
      const session = await sessionOf(state, world, by, "team.manage");
      const secret = session && state.accounts[session.address]?.factor?.secret;
      return session && secret !== undefined ? stepUp(world, session, secret) : undefined;
    },
);
