import { expect } from "vitest";
import { test } from "../../test/fixtures.ts";
import { countryDefault } from "../kernel/countries.ts";
import { operator } from "../trail/actor.ts";
import { readTrail } from "../trail/read-trail.ts";
import { changeCompany } from "./change-company.ts";
import { CompanyNotFound } from "./errors.ts";
import { findCompany, placeOfCompany } from "./find-company.ts";

const by = operator("company set");

test("what is given is changed, and nothing else", async ({ db: { database }, company }) => {
  await changeCompany(database, company.id, { country: "NE" }, by);
  await Promise.all([
    changeCompany(database, company.id, { name: "Boutique Awa" }, by),
    changeCompany(database, company.id, { timeZone: "Africa/Lome" }, by),
  ]);

  expect(await findCompany(database, company.id)).toMatchObject({
    name: "Boutique Awa",
    country: "NE",
    timeZone: "Africa/Lome",
  });
  const trail = await readTrail(database, {
    companyId: company.id,
    since: undefined,
    before: undefined,
    limit: 10,
  });
  const changes = trail
    .filter(({ action }) => action === "company.changed")
    .map((entry) => entry.changes);
  expect(changes).toHaveLength(3);
  expect(changes.at(-1)).toEqual({ country: { from: null, to: "NE" } });
  expect(changes).toContainEqual({ timeZone: { from: null, to: "Africa/Lome" } });
});

test("a company is where the installation is until it says otherwise", async ({
  db: { database },
  company,
}) => {
  const place = async () => {
    const found = await findCompany(database, company.id);
    return found && placeOfCompany(found, countryDefault);
  };

  expect(await place()).toEqual({ country: countryDefault, timeZone: "Africa/Dakar" });
  await changeCompany(database, company.id, { country: "BJ" }, by);
  expect(await place()).toMatchObject({ country: { code: "BJ" }, timeZone: "Africa/Porto-Novo" });
});

test("there is nothing to change in a company that does not exist", async ({
  db: { database },
}) => {
  const nobody = "00000000-0000-7000-8000-000000000000";

  await expect(changeCompany(database, nobody, { name: "x" }, by)).rejects.toThrow(CompanyNotFound);
});
