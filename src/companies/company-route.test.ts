import { expect } from "vitest";
import { makeCompany, productionSettings, startService, test } from "../../test/fixtures.ts";
import { version } from "../kernel/version.ts";

test("200: the terms of the account; where it names no country, those of the installation", async ({
  db,
}) => {
  const plain = await makeCompany(db.database);
  const special = await makeCompany(db.database, {
    name: "Boutique Awa",
    country: "ML",
    timeZone: "Africa/Niamey",
    transferFee: { ratePpm: 12_500, flat: 25, min: 100, max: 2_000 },
    transferAmount: { min: 500, max: 9_000 },
  });
  const service = await startService(db, { DEFAULT_COUNTRY: "CI" });
  const ask = async ({ accessToken: token }: { accessToken: string }) =>
    (await service.call("GET", "/v1/company", { token })).body;
  try {
    expect(await ask(plain)).toEqual({
      id: expect.stringMatching(/^com_[0-9a-f]{32}$/),
      name: "Test",
      currency: "XOF",
      country: "CI",
      timeZone: "Africa/Abidjan",
      transferAmount: { min: 5_000, max: 500_000 },
      transferFee: { rate: 0, flat: 0, min: 0, max: null },
      service: {
        version,
        environment: "staging",
        brand: "service",
        testNumbers: { success: "2250700000000", failure: "2250700000001" },
      },
    });
    expect(await ask(special)).toMatchObject({
      name: "Boutique Awa",
      country: "ML",
      timeZone: "Africa/Niamey",
      transferAmount: { min: 500, max: 9_000 },
      transferFee: { rate: 0.0125, flat: 25, min: 100, max: 2_000 },
    });
    expect((await service.call("GET", "/v1/company")).status).toBe(401);
  } finally {
    await service.stop();
  }
});

test("200: production says so, and has no test numbers", async ({ db, company }) => {
  const settings = { ...productionSettings(db), BRAND: "teranga" };
  const service = await startService(db, settings);
  try {
    const { body } = await service.call("GET", "/v1/company", { token: company.accessToken });
    expect(body.service).toEqual({
      version,
      environment: "production",
      brand: "teranga",
      testNumbers: null,
    });
  } finally {
    await service.stop();
  }
});
