import fc from "fast-check";
import { act, type Plan, pick, pickLast } from "./act.ts";
import { actor, address, company, number, role, sessionOf } from "./actor.ts";
import { endIn, hasAnother, isTaken, letIn, permit } from "./authority.ts";
import { companies, humanOf, humans, nameOf } from "./cast.ts";
import { addSession, enterBy, signedIn } from "./sign-in.ts";
import {
  accountOf,
  type LinkState,
  linkIn,
  roleIn,
  type State,
  sessionIn,
  Violation,
} from "./state.ts";

const anyHuman = fc.nat(humans.length - 1);

export const invite = fc.record({ by: actor, to: address, as: role }).map(
  ({ by, to, as }): Plan =>
    async (state, world) => {
      const session = await sessionOf(state, world, by, "team.manage");
      if (session === undefined || session.company === null) return undefined;
      // Whoever knows the people lets nobody in a second time; but they may try it with themselves.
      const isOwn = humanOf(to) === session.holder;
      if (!isOwn && hasAnother(state, session.company, to)) return undefined;
      return act(
        "invited",

        `${nameOf(session.address)} invites ${nameOf(to)} to ${companies[session.company] ?? ""} as ${as}`,
        (at) => world.adapter.invite(at, session.token, world.emails[to] ?? "", as),
        (now, { link }) => {
          const where = permit(now, session, "team.manage");
          if (to === session.address)
            throw new Violation("two powers", `${nameOf(to)} invited themselves`);
          for (const earlier of now.links)
            if (earlier.to === to && earlier.company === where) earlier.isLive = false;
          const known = [session.holder, humanOf(to)];
          now.links.push(
            newLink({ token: link, to, company: where, role: as, by: session.address, known }),
          );
        },
      );
    },
);

export const inviteByOperator = fc.record({ where: company, to: address, as: role }).map(
  ({ where, to, as }): Plan =>
    async (state, world) =>
      hasAnother(state, where, to) || isTaken(state, to)
        ? undefined
        : act(
            "invited",

            `the operator invites ${nameOf(to)} to ${companies[where] ?? ""} as ${as}`,
            (at) =>
              world.adapter.inviteByOperator(
                at,
                world.emails[to] ?? "",
                world.companyIds[where] ?? "",
                as,
              ),
            (now, { link }) => {
              for (const earlier of now.links)
                if (earlier.to === to && earlier.company === where) earlier.isLive = false;
              const known = [humanOf(to)];
              now.links.push(
                newLink({ token: link, to, company: where, role: as, by: null, known }),
              );
            },
          ),
);

/** Somebody who invited keeps the link, and passes it on. */
export const leak = fc.record({ which: number, to: anyHuman }).map(
  ({ which, to }): Plan =>
    async (state) => {
      const shown = state.links.filter(({ by }) => by !== null);
      const link = pickLast(shown, which);
      if (link === undefined || link.known.includes(to)) return undefined;
      return act(
        "links leaked",

        `${humans[to] ?? ""} gets to know the link to ${nameOf(link.to)}`,
        async () => ({ isDone: true }),
        (now) => void linkIn(now, link).known.push(to),
      );
    },
);

/** Anybody who knows a link opens it: as somebody new, or signed in to the account that they have at its address. */
export const useLink = fc.record({ which: number, knower: number, isNew: fc.boolean() }).map(
  ({ which, knower, isNew }): Plan =>
    async (state, world) => {
      const link = pickLast(state.links, which);
      const who = link && pick(link.known, knower);
      if (link === undefined || who === undefined) return undefined;
      const isOwn = accountOf(state, link.to).controller === who;
      const own = isOwn && !isNew ? await signedIn(state, world, link.to) : undefined;
      const chosen = own === undefined ? world.choosePassword(who, link.to) : undefined;
      const visitor =
        own === undefined
          ? { kind: "new" as const, text: chosen?.text ?? "", stretched: chosen?.stretched ?? "" }
          : { kind: "signedIn" as const, session: own.token };
      const as = own === undefined ? "with a new password" : "signed in";
      return act(
        "joined",

        `${humans[who] ?? ""} uses the ${link.purpose} link to ${nameOf(link.to)} ${as}`,
        (at) => world.adapter.useLink(at, link.token, visitor),
        (now, { session, isOpen, request }) => {
          const used = linkIn(now, link);
          if (!used.isLive)
            throw new Violation("ended link", "a link that was ended let somebody in");
          used.isLive = false;
          if (chosen !== undefined) {
            setPassword(now, link, who, chosen);
            addSession(now, session, link.to, who, isOpen);
          } else if (own !== undefined && !sessionIn(now, own).isLive)
            throw new Violation("ended session", "an ended session used a link");
          join(now, link, request);
          const { company: where } = link;
          if (where !== null && request === undefined)
            sessionIn(now, { token: session }).company = where;
        },
      );
    },
);

/** Somebody who knows a link and a password tries it on the page of the link. */
export const tryLinkPassword = fc.record({ which: number, password: number }).map(
  ({ which, password: chosen }): Plan =>
    async (state, world) => {
      const link = pickLast(state.links, which);
      const password = pick(
        world.passwords.filter(({ address: where }) => where === link?.to),
        chosen,
      );
      if (link === undefined || password === undefined || !link.known.includes(password.human))
        return undefined;
      return enterBy(
        link.to,
        password,
        `${humans[password.human] ?? ""} signs in on the page of a link as ${nameOf(link.to)}`,
        (at) => world.adapter.signInByLink(at, link.token, password.text),
      );
    },
);

/** A password is chosen once, by whoever joins first; then by whom the operator's link is for. */
function setPassword(
  state: State,
  { to, purpose }: LinkState,
  who: number,
  chosen: { readonly text: string; readonly stretched: string },
): void {
  const account = accountOf(state, to);
  const isFirst = account.controller === null && purpose === "join";
  const isReset = purpose === "reset" && humanOf(to) === who;
  if (account.controller !== null && account.controller !== who && !isReset)
    throw new Violation("password", `${humans[who] ?? ""} has set the password of ${nameOf(to)}`);
  if (!isFirst && !isReset)
    throw new Violation("purpose", `a link to join has set the password of ${nameOf(to)}`);
  Object.assign(account, { controller: who, password: chosen.text, stretched: chosen.stretched });
}

/** What the operator offers holds at once, and so does looking on; everything else has to be confirmed. */
function join(state: State, link: LinkState, request: string | undefined): void {
  const { company: where, role: as, to, by } = link;
  if (where === null || as === null) return;
  if (roleIn(state, where, to) !== null)
    throw new Violation("two powers", `${nameOf(to)}, a member, has joined again`);
  if (request === undefined) {
    if (by !== null && as !== "reader")
      throw new Violation("two powers", `${nameOf(to)} is ${as} by the word of one`);
    letIn(state, where, to, as, by);
    return;
  }
  if (by === null) throw new Error("what the operator offers needs no other word");
  const human = accountOf(state, by).controller;
  if (human === null) throw new Error("whoever invites has an account");
  const rule = { aloneMax: null, isOpen: true };
  state.requests.push({ id: request, company: where, by, human, about: to, role: as, ...rule });
}

/** Somebody has lost the second factor, says so, and the operator hands the new link to that human. */
export const reset = fc.record({ whom: address }).map(
  ({ whom }): Plan =>
    async (state, world) =>
      accountOf(state, whom).controller === null
        ? undefined
        : act(
            "reset",

            `the operator resets ${nameOf(whom)}`,
            (at) => world.adapter.reset(at, world.emails[whom] ?? ""),
            (now, { link }) => {
              Object.assign(accountOf(now, whom), {
                password: null,
                stretched: null,
                factor: null,
              });
              for (const where of companies.keys()) endIn(now, where, whom);
              for (const earlier of now.links) if (earlier.to === whom) earlier.isLive = false;
              const known = [humanOf(whom)];
              const purpose = "reset";
              const none = { company: null, role: null, by: null };
              now.links.push({ ...newLink({ token: link, to: whom, known, ...none }), purpose });
            },
          ),
);

function newLink(link: Omit<LinkState, "purpose" | "isLive">): LinkState {
  return { ...link, purpose: "join", isLive: true };
}
