import type { FastifyReply } from "fastify";
import { type IssuedLink, invitationsOf, invite, withdrawInvitation } from "../../access/links.ts";
import { changeRole, type MemberRefusal, removeMember } from "../../access/members.ts";
import { requestIdPrefix } from "../../access/request.ts";
import { openRequestsOf, peopleOf } from "../../access/requests.ts";
import { RouteNotFound } from "../../http/errors.ts";
import type { App } from "../../http/server.ts";
import { DomainError } from "../../kernel/domain-error.ts";
import { parsePublicId, parseUuid, toPublicId } from "../../kernel/ids.ts";
import { inLanguage } from "../../kernel/language.ts";
import { emailsOf, type Member, membersOf } from "../../staff/people.ts";
import { personIdPrefix, readEmail } from "../../staff/person.ts";
import { isCompanyRole, needsTwoPowers } from "../../staff/roles.ts";
import { attempt } from "../attempt.ts";
import type { ActionContext, ScreenContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { action, screen } from "../screen.ts";
import { Form } from "../views/form.tsx";
import { accessWords } from "../words/access.ts";
import { teamWords } from "../words/team.ts";
import { changeScreens } from "./change-screens.tsx";
import { confirmCommand } from "./describe-request.ts";
import { teamPath as path, requestsPath } from "./paths.ts";
import { requestScreens } from "./request-screens.tsx";
import { ruleScreens } from "./rule-screens.tsx";
import { RoleChoice, TeamView } from "./team-view.tsx";

/** Who works for the company: everybody sees it, owners change it. */
export function teamScreens(app: App, parts: ConsoleParts): void {
  const { database, settings, clock } = parts;

  changeScreens(app, parts);
  requestScreens(app, parts);
  ruleScreens(app, parts);

  screen(app, parts, path, { may: "anyone" }, (context) => showTeam(parts, context));

  action(app, parts, `${path}/invite`, { may: "team.manage", proof: "fresh" }, async (context) => {
    const { form, company, by, language } = context;
    const words = teamWords[language];
    const typed = (form.get("email") ?? "").slice(0, 254);
    const email = readEmail(typed);
    const role = form.get("role") ?? "";
    if (email === undefined || !isCompanyRole(role))
      return showTeam(parts, context, words.inviteProblem, typed);
    const request = { email, companyId: company.id, role };
    try {
      const link = await invite(database, clock(), request, by);
      return await showLink(context, email, link, needsTwoPowers(role, undefined));
    } catch (error) {
      if (!(error instanceof DomainError) || !["invalid", "conflict"].includes(error.kind))
        throw error;
      return showTeam(parts, context, inLanguage(language, error.said), typed);
    }
  });

  /** The link, which is shown once; and who has to confirm what comes of it. */
  async function showLink(
    context: ActionContext,
    email: string,
    { id, token }: IssuedLink,
    isToConfirm: boolean,
  ): Promise<FastifyReply> {
    const words = teamWords[context.language];
    const access = accessWords[context.language];
    const isAlone = isToConfirm && (await isOnlyOwner(parts, context));
    return context.send({
      title: words.linkTitle,
      content: (
        <>
          <h1>{words.linkTitle}</h1>
          <p>{words.linkWhat(email)}</p>
          <p class="secret">{`${settings.publicUrl}/console/join/${token}`}</p>
          {isToConfirm && <p>{isAlone ? access.onlyOwnerLater : access.secondOwner}</p>}
          {isAlone && <p class="secret">{confirmCommand(toPublicId(requestIdPrefix, id))}</p>}
          <p>
            <a class="button" href={context.href(path)}>
              {words.back}
            </a>
          </p>
        </>
      ),
    });
  }

  action(app, parts, `${path}/withdraw`, { may: "team.manage", proof: "none" }, async (context) => {
    const { form, company, by, language } = context;
    const words = teamWords[language];
    const linkId = parseUuid(form.get("link") ?? "");
    if (linkId === undefined) throw new RouteNotFound();
    const isDone = await withdrawInvitation(database, company.id, linkId, by);
    if (!isDone) throw new RouteNotFound();
    return context.seeOther(path, { kind: "good", text: words.withdrawn });
  });

  screen(app, parts, `${path}/people/:id`, { may: "team.manage" }, async (context) => {
    const words = teamWords[context.language];
    const member = await findMember(parts, context);
    const title = words.memberTitle(member.email);
    const own = `${path}/people/${context.params["id"] ?? ""}`;
    return context.send({
      title,
      content: (
        <>
          <h1>{title}</h1>
          <section class="card">
            <Form context={context} path={`${own}/role`} submit={words.roleSubmit}>
              <RoleChoice context={context} words={words} chosen={member.role} />
            </Form>
          </section>
          <section class="card" aria-labelledby="remove">
            <h2 id="remove">{words.remove}</h2>
            <p>{words.removeWhat}</p>
            <Form context={context} path={`${own}/remove`} submit={words.remove} kind="danger" />
          </section>
          <p>
            <a href={context.href(path)}>{words.back}</a>
          </p>
        </>
      ),
    });
  });

  action(
    app,
    parts,
    `${path}/people/:id/role`,
    { may: "team.manage", proof: "fresh" },
    async (context) => {
      const { company, by, language, form } = context;
      const member = await findMember(parts, context);
      const role = form.get("role") ?? "";
      if (!isCompanyRole(role)) throw new RouteNotFound();
      return attempt(context, path, async () => {
        const change = { companyId: company.id, personId: member.id, role };
        const changed = await changeRole(database, clock(), change, by);
        if (changed === "done")
          return answer(context, undefined, teamWords[language].roleChanged(member.email));
        if (typeof changed === "string") return answer(context, changed, "");
        const id = toPublicId(requestIdPrefix, changed.requestId);
        const text = accessWords[language].asked;
        return context.seeOther(`${requestsPath}/${id}`, { kind: "good", text });
      });
    },
  );

  action(
    app,
    parts,
    `${path}/people/:id/remove`,
    { may: "team.manage", proof: "fresh" },
    async (context) => {
      const { company, by, language } = context;
      const member = await findMember(parts, context);
      const refusal = await removeMember(database, company.id, member.id, by);
      return answer(context, refusal, teamWords[language].removed(member.email));
    },
  );
}

async function showTeam(
  { database }: ConsoleParts,
  context: ScreenContext,
  problem?: string,
  typed?: string,
): Promise<FastifyReply> {
  const words = teamWords[context.language];
  const mayManage = context.may("team.manage");
  const [members, invitations, requests] = await Promise.all([
    membersOf(database, context.company.id),
    mayManage ? invitationsOf(database, context.company.id) : [],
    mayManage ? openRequestsOf(database, context.company.id) : [],
  ]);
  return context.send({
    title: words.title,
    content: (
      <TeamView
        context={context}
        words={words}
        members={members}
        invitations={invitations}
        requests={requests}
        emails={await emailsOf(database, peopleOf(requests))}
        problem={problem}
        {...(typed === undefined ? {} : { typed })}
      />
    ),
    ...(problem === undefined ? {} : { status: 422, isProblem: true }),
  });
}

async function isOnlyOwner(
  { database }: ConsoleParts,
  { company }: ScreenContext,
): Promise<boolean> {
  const members = await membersOf(database, company.id);
  return members.filter(({ role }) => role === "owner").length < 2;
}

/** Somebody of another company is as unknown as nobody. */
async function findMember({ database }: ConsoleParts, context: ScreenContext): Promise<Member> {
  const id = parsePublicId(personIdPrefix, context.params["id"] ?? "");
  const members = await membersOf(database, context.company.id);
  const member = members.find((one) => one.id === id);
  if (member === undefined) throw new RouteNotFound();
  return member;
}

function answer(
  { seeOther, language }: ActionContext,
  refusal: MemberRefusal | undefined,
  done: string,
): Promise<FastifyReply> {
  const words = teamWords[language];
  if (refusal === undefined) return seeOther(path, { kind: "good", text: done });
  const text = refusal === "lastOwner" ? words.lastOwner : words.gone;
  return seeOther(path, { kind: "bad", text });
}
