import { findLogo, findLogoStates } from "../../companies/logos.ts";
import {
  changeSubCompany,
  getSubCompany,
  listSubCompanies,
} from "../../companies/sub-companies.ts";
import type { SubCompany } from "../../companies/sub-company.ts";
import { RouteNotFound } from "../../http/errors.ts";
import type { App } from "../../http/server.ts";
import { parsePublicId } from "../../kernel/ids.ts";
import { parsePageRequest } from "../../kernel/page.ts";
import { hemIn } from "../../pages/send-page.ts";
import { attempt } from "../attempt.ts";
import type { ScreenContext } from "../context.ts";
import { readPageSize } from "../list-query.ts";
import type { ConsoleParts } from "../parts.ts";
import { action, screen } from "../screen.ts";
import { subCompanyWords } from "../words/sub-companies.ts";
import { DetailPage } from "./detail-page.tsx";
import { ListPage } from "./list-page.tsx";
import { subCompaniesPath, subCompanyPath } from "./logo.tsx";
import { readMonth } from "./read-month.ts";

const may = { may: "sub_companies.manage", proof: "none" } as const;
const logoMaxAgeSeconds = 3_600;

/** On whose behalf an aggregator works: what each did this month, what customers see of it, and its switch. */
export function subCompanyScreens(app: App, parts: ConsoleParts): void {
  const { database, clock, config } = parts;

  screen(app, parts, subCompaniesPath, may, async (context) => {
    const { company, language, query, send } = context;
    const words = subCompanyWords[language];
    const cursor = query.get("cursor");
    const list = { name: "sub-companies", companyId: company.id };
    const request = parsePageRequest(list, {
      limit: readPageSize(query),
      ...(cursor === null ? {} : { cursor }),
    });
    const page = await listSubCompanies(database, company.id, request);
    const ids = page.rows.map(({ id }) => id);
    const urls = page.rows.map(({ logoUrl }) => logoUrl);
    const [month, states] = await Promise.all([
      readMonth(database, clock(), company, ids),
      findLogoStates(database, company.id, urls),
    ]);
    const fetched = [...states].filter(([, { status }]) => status === "fetched");
    const content = (
      <ListPage
        context={context}
        words={words}
        page={page}
        month={month}
        logos={new Set(fetched.map(([url]) => url))}
      />
    );
    return send({ title: words.title, content });
  });

  screen(app, parts, `${subCompaniesPath}/:id`, may, async (context) => {
    const { company, language, send } = context;
    const subCompany = await subCompanyOf(context);
    const { id, logoUrl, name } = subCompany;
    const [month, states] = await Promise.all([
      readMonth(database, clock(), company, [id]),
      findLogoStates(database, company.id, [logoUrl]),
    ]);
    const content = (
      <DetailPage
        context={context}
        words={subCompanyWords[language]}
        subCompany={subCompany}
        month={month}
        logo={states.get(logoUrl)}
      />
    );
    return send({ title: name, content });
  });

  screen(app, parts, `${subCompaniesPath}/:id/logo`, may, async (context) => {
    const { company, reply } = context;
    const { logoUrl } = await subCompanyOf(context);
    const logo = await findLogo(database, company.id, logoUrl);
    if (logo === undefined) throw new RouteNotFound();
    return hemIn(reply)
      .header("content-security-policy", "default-src 'none'")
      .header("cache-control", `private, max-age=${logoMaxAgeSeconds}`)
      .type(logo.type)
      .send(logo.bytes);
  });

  action(app, parts, `${subCompaniesPath}/:id/active`, may, async (context) => {
    const { company, form, by, language, seeOther } = context;
    const words = subCompanyWords[language];
    const before = await subCompanyOf(context);
    const path = subCompanyPath(before);
    return attempt(context, path, async () => {
      const change = { isActive: form.get("active") === "yes" };
      const { isActive, name } = await changeSubCompany(
        database,
        clock(),
        company.id,
        before.id,
        change,
        config.quotas,
        by,
      );
      const text = isActive ? words.enabled(name) : words.disabled(name);
      return seeOther(path, { kind: "good", text });
    });
  });

  function subCompanyOf({ company, params }: ScreenContext): Promise<SubCompany> {
    return getSubCompany(database, company.id, parsePublicId("subco", params["id"] ?? ""));
  }
}
