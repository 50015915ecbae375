import type { Link } from "../../access/links.ts";
import type { AccessRequest } from "../../access/request.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { formatShortMoment } from "../../pages/format.ts";
import type { Member } from "../../staff/people.ts";
import { personIdPrefix } from "../../staff/person.ts";
import { companyRoles } from "../../staff/roles.ts";
import type { ScreenContext } from "../context.ts";
import { Field, Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Notice } from "../views/notice.tsx";
import { Status } from "../views/status.tsx";
import { Table } from "../views/table.tsx";
import { accessWords } from "../words/access.ts";
import type { TeamWords } from "../words/team.ts";
import { requestsPath, rulesPath } from "./paths.ts";
import { RequestTable } from "./requests-view.tsx";

/** Who works for the company; and, for whoever may, how others come and go. */
export function TeamView({
  context,
  words,
  members,
  invitations,
  requests,
  emails,
  problem,
  typed = "",
}: {
  readonly context: ScreenContext;
  readonly words: TeamWords;
  readonly members: readonly Member[];
  readonly invitations: readonly Link[];
  /** What waits for a second owner or the operator. */
  readonly requests: readonly AccessRequest[];
  readonly emails: ReadonlyMap<string, string>;
  readonly problem?: string | undefined;
  readonly typed?: string;
}) {
  const { words: frame, company, may, person, href } = context;
  const moment = (at: Date) => formatShortMoment(frame, company.timeZone, at);
  const mayManage = may("team.manage");
  const isOnlyOwner = members.filter(({ role }) => role === "owner").length < 2;
  return (
    <>
      <div class="head">
        <h1>{words.title}</h1>
        <a class="button second" href={href("/console/team/account")}>
          {words.own}
        </a>
      </div>
      {problem !== undefined && (
        <Problems title={frame.problem} problems={[{ field: "email", text: problem }]} />
      )}
      <Table
        caption={words.people}
        rows={members}
        keyOf={({ id }) => id}
        columns={[
          {
            key: "email",
            title: words.email,
            isHead: true,
            cell: ({ id, email }) => (id === person.id ? `${email} (${words.you})` : email),
          },
          { key: "role", title: words.role, cell: ({ role }) => frame.roles[role] },
          {
            key: "factor",
            title: words.factor,
            cell: ({ hasSecondFactor }) => (
              <Status
                tone={hasSecondFactor ? "good" : "idle"}
                word={hasSecondFactor ? words.factorOn : words.factorOff}
              />
            ),
          },
          { key: "since", title: words.since, cell: ({ memberSince }) => moment(memberSince) },
          ...(mayManage
            ? [
                {
                  key: "actions",
                  title: words.actions,
                  cell: ({ id, email }: Member) => (
                    <a
                      href={href(`/console/team/people/${toPublicId(personIdPrefix, id)}`)}
                      aria-label={words.memberTitle(email)}
                    >
                      {words.change}
                    </a>
                  ),
                },
              ]
            : []),
        ]}
      />
      {mayManage && isOnlyOwner && <Notice kind="warn" text={words.onlyOwner} />}
      {mayManage && requests.length > 0 && (
        <RequestTable
          context={context}
          words={accessWords[context.language]}
          timeZone={company.timeZone}
          requests={requests}
          emails={emails}
          path={requestsPath}
        />
      )}
      {mayManage && invitations.length > 0 && (
        <Invitations context={context} words={words} invitations={invitations} moment={moment} />
      )}
      {mayManage && (
        <section class="card" aria-labelledby="invite">
          <h2 id="invite">{words.invite}</h2>
          <p class="soft">{words.inviteHint}</p>
          <Form context={context} path="/console/team/invite" submit={words.inviteSubmit}>
            <Field id="email" label={words.email} problem={problem}>
              {(described) => (
                <input
                  {...described}
                  type="email"
                  autocomplete="off"
                  maxlength={254}
                  required
                  value={typed}
                />
              )}
            </Field>
            <RoleChoice context={context} words={words} chosen="preparer" />
          </Form>
        </section>
      )}
      {mayManage && (
        <p>
          <a href={href(rulesPath)}>{accessWords[context.language].ruleTitle}</a>
        </p>
      )}
    </>
  );
}

function Invitations({
  context,
  words,
  invitations,
  moment,
}: {
  readonly context: ScreenContext;
  readonly words: TeamWords;
  readonly invitations: readonly Link[];
  readonly moment: (at: Date) => string;
}) {
  return (
    <Table
      caption={words.waiting}
      rows={invitations}
      keyOf={({ id }) => id}
      columns={[
        { key: "email", title: words.email, isHead: true, cell: ({ email }) => email },
        {
          key: "role",
          title: words.role,
          cell: ({ role }) => (role === null ? "" : context.words.roles[role]),
        },
        { key: "until", title: words.until, cell: ({ expiresAt }) => moment(expiresAt) },
        {
          key: "actions",
          title: words.actions,
          cell: ({ id }) => (
            <Form
              context={context}
              path="/console/team/withdraw"
              fields={{ link: id }}
              submit={words.withdraw}
              kind="quiet"
            />
          ),
        },
      ]}
    />
  );
}

/** Every role with what it may do. */
export function RoleChoice({
  context,
  words,
  chosen,
}: {
  readonly context: ScreenContext;
  readonly words: TeamWords;
  readonly chosen: string;
}) {
  return (
    <fieldset>
      <legend>{words.roleLegend}</legend>
      {companyRoles.map((role) => (
        <label key={role} class="choice">
          <input type="radio" name="role" value={role} checked={role === chosen} required />
          <span>
            {context.words.roles[role]} <span class="soft">{words.roleWhat[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
