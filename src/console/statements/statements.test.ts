import { expect } from "vitest";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { makeCompany, makeCustomer, test, untilSettled } from "../../../test/fixtures.ts";
import { textOf } from "../../../test/pay-page.ts";
import { send } from "../../../test/receiver.ts";
import { makeSubCompany } from "../../../test/statements.ts";
import { readAsked } from "./read-asked.ts";

const known = "2250700000000";

test("200: a statement has its balances, its days and every line with the balance after it, and comes as files", async ({
  db,
  service,
  company,
}) => {
  await makeCustomer(db.database, known);
  const shop = await makeSubCompany(service, company, "Boutique");
  const made = await send(service, company, "mars-1", { msisdn: known, amount: 25_000 });
  await send(service, company, "mars-2", { msisdn: known, amount: 6_000, subCompanyId: shop });
  await untilSettled(db.database);
  const client = new ConsoleClient(service, await signIn(db, company.id, "reader"));

  const page = await client.get("/console/statements");
  expect(page.status).toBe(200);
  const text = textOf(page.text);
  expect(text).toContain("Solde d’ouverture 0 F CFA");
  expect(text).toContain("Solde de clôture 969 000 F CFA");
  expect(text).toContain("Par nature (3 mouvements)");
  expect(text).toMatch(/Virement mars-1 0 F CFA −25 000 F CFA 975 000 F CFA/);
  expect(page.text).toContain(`/console/transfers/${made.id}`);
  const ofShop = textOf((await client.get(`/console/statements?subCompany=${shop}`)).text);
  expect(ofShop).toContain("Somme à la fin de la période −6 000 F CFA");

  const magic = { csv: "\ufeff", xlsx: "PK", pdf: "%PDF" };
  for (const [format, start] of Object.entries(magic)) {
    const file = await client.get(`/console/statements/export.${format}?from=2000-01-01`);
    expect(file.status).toBe(200);
    expect(file.text.startsWith(start), format).toBe(true);
  }
  for (const query of [
    "from=2026-02-31&to=2026-03-01",
    "from=2026-03-02&to=2026-03-01",
    "month=2026-13",
  ]) {
    const wrong = await client.get(`/console/statements?${query}`);
    expect(wrong.status, query).toBe(400);
    expect(wrong.text).toContain("Cette période n’est pas lisible");
  }
});

test("404: another company's sub-company; 403: a role that may not read statements", async ({
  db,
  service,
  company,
}) => {
  const other = await makeCompany(db.database);
  const theirs = await makeSubCompany(service, other, "Autre");
  const client = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  for (const id of [theirs, `subco_${"0".repeat(32)}`, "nonsense"])
    for (const path of ["/console/statements", "/console/statements/export.csv"])
      expect((await client.get(`${path}?subCompany=${id}`)).status).toBe(404);
  const developer = new ConsoleClient(service, await signIn(db, company.id, "developer"));
  for (const path of ["/console/statements", "/console/statements/export.pdf"])
    expect((await developer.get(path)).status).toBe(403);
});

test("a month is its days, the last of them too; without anything it is the month that it is", () => {
  const now = new Date("2026-12-31T23:30:00.000Z");
  const read = (query: string, zone = "Africa/Niamey") =>
    readAsked(new URLSearchParams(query), now, zone);
  expect(read("month=2028-02")).toMatchObject({ from: "2028-02-01", to: "2028-02-29" });
  expect(read("month=2026-12")).toMatchObject({ from: "2026-12-01", to: "2026-12-31" });
  expect(read("")).toMatchObject({ month: "2027-01" });
  expect(read("", "Africa/Dakar")).toMatchObject({ month: "2026-12" });
});
