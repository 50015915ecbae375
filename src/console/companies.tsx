import { requestIdPrefix } from "../access/request.ts";
import { membershipsWaitedFor } from "../access/requests.ts";
import { companyIdPrefix } from "../companies/company.ts";
import { findCompany } from "../companies/find-company.ts";
import type { App } from "../http/server.ts";
import { parsePublicId, toPublicId } from "../kernel/ids.ts";
import { redirect } from "../pages/send-page.ts";
import { membershipsOf } from "../staff/people.ts";
import type { CompanyRole } from "../staff/roles.ts";
import { changeCompany, endSession, formTokenOf } from "../staff/sessions.ts";
import { findAnySession, findReadySession } from "./any-session.ts";
import { bareOf, sendBare, sendProblem } from "./bare.tsx";
import { forgetSessionToken } from "./cookies.ts";
import type { ConsoleParts } from "./parts.ts";
import { CompaniesView } from "./views/companies-view.tsx";
import { companiesWords } from "./words/companies.ts";

const hidden = { schema: { hide: true }, bodyLimit: 2_048, config: { proof: "none" } } as const;

/** Where a person of several companies says for whom to work, and how everybody leaves. */
export function companyScreens(app: App, parts: ConsoleParts): void {
  const { database, settings } = parts;

  app.get("/console/companies", hidden, async (request, reply) => {
    const signedIn = await findReadySession(parts, request, reply);
    if (signedIn === undefined) return reply;
    const { person } = signedIn.session;
    const bare = bareOf(parts, request);
    const words = companiesWords[bare.language];
    const companies = await companiesOf(parts, person.id);
    const waiting = await waitedForBy(parts, person.id);
    const content = (
      <CompaniesView
        context={{ ...bare, formToken: formTokenOf(signedIn.token) }}
        words={words}
        companies={companies}
        waiting={waiting}
        email={person.email}
        isOperator={person.isOperator}
      />
    );
    const path = "/console/companies";
    return sendBare(parts, request, reply, bare, { title: words.title, content, path });
  });

  app.post("/console/companies", hidden, async (request, reply) => {
    const signedIn = await findReadySession(parts, request, reply);
    if (signedIn === undefined) return reply;
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const wanted = parsePublicId(companyIdPrefix, form.get("company") ?? "");
    const known = await membershipsOf(database, signedIn.session.person.id);
    if (wanted === undefined || !known.some(({ companyId }) => companyId === wanted))
      return sendProblem(parts, request, reply, "notFound", 404);
    await changeCompany(database, signedIn.token, wanted);
    return redirect(reply, bareOf(parts, request).href("/console"));
  });

  app.post("/console/logout", hidden, async (request, reply) => {
    const signedIn = await findAnySession(parts, request, reply);
    if (signedIn === undefined) return reply;
    await endSession(database, signedIn.token);
    forgetSessionToken(settings, reply);
    return redirect(reply, bareOf(parts, request).href("/console/login", { left: "1" }));
  });
}

interface ChosenFrom {
  readonly id: string;
  readonly name: string;
  readonly role: CompanyRole;
}

async function companiesOf(
  { database }: ConsoleParts,
  personId: string,
): Promise<readonly ChosenFrom[]> {
  const found = await Promise.all(
    (await membershipsOf(database, personId)).map(async ({ companyId, role }) => {
      const company = await findCompany(database, companyId);
      return company && { id: toPublicId(companyIdPrefix, company.id), name: company.name, role };
    }),
  );
  return found.flatMap((company) => company ?? []);
}

/** Companies that somebody is about to join, once a second owner or the operator has confirmed it. */
async function waitedForBy(
  { database }: ConsoleParts,
  personId: string,
): Promise<readonly ChosenFrom[]> {
  const requests = await membershipsWaitedFor(database, personId);
  return Promise.all(
    requests.map(async ({ id, companyId, role }) => ({
      id: toPublicId(requestIdPrefix, id),
      name: (await findCompany(database, companyId))?.name ?? "",
      role,
    })),
  );
}
