import { expect } from "vitest";
import { pages } from "../torture/input/pages.ts";
import { wrongCode } from "./codes.ts";
import { filledId, popularMsisdn } from "./filled-database.ts";
import type { TestCompany, TestDatabase, TestService } from "./fixtures.ts";
import { cookiesOf, PayPage, submit, textOf, visit } from "./pay-page.ts";

/** Has the statement of the company verified, as a browser's form does. */
async function verifyStatement(service: TestService, company: TestCompany): Promise<string> {
  const statement = await fetch(`${service.url}/v1/statement.csv?to=2000-01-01`, {
    headers: { authorization: `Bearer ${company.accessToken}` },
  });
  const form = new FormData();
  form.set("file", await statement.blob(), "a.csv");
  const answer = await fetch(`${service.url}/verify`, { method: "POST", body: form });
  return textOf(await answer.text());
}

/** Pays on a page, signs in to a wallet, and does whatever else can be done there. */
export async function visitPages(
  service: TestService,
  db: TestDatabase,
  company: TestCompany,
  onVisit: (page: string) => void,
): Promise<void> {
  const visited = new Set<string>();
  let cookie = "";
  const open = async (id: string, path: string, form?: Record<string, string>) => {
    visited.add(id);
    onVisit(id);
    const answer = await (form === undefined
      ? visit(service, path, { headers: { cookie } })
      : submit(service, path, form, { cookie }));
    cookie = cookiesOf(answer, cookie);
    return answer;
  };
  const subCompanyId = `subco_${(await filledId(db, company.id)).replaceAll("-", "")}`;
  onVisit("making a charge");
  const { path } = await PayPage.make(service, company, { subCompanyId });
  const act = async (action: string, form: Record<string, string> = {}) => {
    await open(`POST /pay/{token}/${action}`, `${path}/${action}`, form);
    return textOf((await open("GET /pay/{token}", path)).html);
  };
  expect((await open("GET /pay/{token}/logo", `${path}/logo`)).status).toBe(200);
  const phone = `+${popularMsisdn}`;
  await act("change");
  const [, code = ""] = /(\d{6})/.exec(await act("code", { phone })) ?? [];
  await act("confirm", { code: wrongCode(code) });
  expect(await act("confirm", { code })).toContain("Paiement effectué");
  await act("cancel");

  const showWallet = async (query = "") => (await open("GET /wallet", `/wallet${query}`)).html;
  const actOnWallet = (action: string, form: Record<string, string> = {}) =>
    open(`POST /wallet/${action}`, `/wallet/${action}`, form).then(() => showWallet());
  const [, digits = ""] = /<b>(\d{6})<\/b>/.exec(await actOnWallet("code", { phone })) ?? [];
  const newest = await actOnWallet("confirm", { code: digits });
  expect(textOf(newest)).toContain("Awa Diop");
  const older = await showWallet(/\?cursor=[\w-]+/.exec(newest)?.[0]);
  const newer = await showWallet(/\?cursor=[\w-]+/.exec(older)?.[0]);
  expect(textOf(older)).not.toBe(textOf(newest));
  expect(textOf(newer)).toBe(textOf(newest));
  for (const action of ["leave", "change"]) await actOnWallet(action);
  await open("GET /docs", "/docs");
  await open("GET /verify", "/verify");
  visited.add("POST /verify");
  onVisit("POST /verify");
  expect(await verifyStatement(service, company)).toContain("Vérifié");
  expect([...visited].toSorted()).toEqual(pages.map(({ id }) => id).toSorted());
}
