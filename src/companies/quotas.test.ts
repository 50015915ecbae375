import { expect } from "vitest";
import {
  box,
  makeCompany,
  startService,
  type TestDatabase,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import { Signals } from "../database/signals.ts";
import { sql } from "../database/sql.ts";
import { rotateKey } from "./credentials.ts";
import { TooManyKeys } from "./errors.ts";
import { forgetFormerLogos } from "./logos.ts";

const logo = (name: number | string) => `https://awa.example/${name}.png`;

/** A service with this environment, for as long as the work lasts. */
async function withService<Result>(
  db: TestDatabase,
  environment: Record<string, string>,
  work: (service: TestService) => Promise<Result>,
): Promise<Result> {
  const service = await startService(db, { ROLES: "api", ...environment });
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

test("422: more sub-companies than the quota, also when they come at once", async ({
  db,
  company: { accessToken: token },
}) => {
  await withService(db, { SUB_COMPANIES_MAX: "5" }, async (service) => {
    const create = (place: number) =>
      service.call("POST", "/v1/sub-companies", {
        token,
        body: { name: `Shop ${place}`, logoUrl: logo("one") },
      });
    const answers = await Promise.all(Array.from({ length: 12 }, (_, place) => create(place)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body.code).toBe("too_many_sub_companies");
    expect(refused?.body.message).toContain("5 sub-companies");
    expect(await db.database.query(sql`select 1 from sub_companies`)).toHaveLength(5);
  });
});

test("200 changes of a logo leave the one that is named and the newest few before it", async ({
  db,
  company: { accessToken: token },
}) => {
  await withService(db, {}, async (service) => {
    const body = { name: "Shop", logoUrl: logo("first") };
    const { body: made } = await service.call("POST", "/v1/sub-companies", { token, body });
    for (let place = 0; place < 200; place += 1) {
      const change = { logoUrl: logo(place) };
      const answer = await service.call("PUT", `/v1/sub-companies/${made.id}`, {
        token,
        body: change,
      });
      expect(answer.status).toBe(200);
    }
    const urls = await db.database.query<{ url: string }>(sql`select url from logos order by url`);
    const kept = Array.from({ length: 11 }, (_, place) => logo(189 + place));
    expect(urls.map(({ url }) => url)).toEqual(kept);
  });
});

test("a logo that another sub-company names stays, and housekeeping deletes what was left before", async ({
  db,
  company,
}) => {
  const { accessToken: token } = company;
  await withService(db, {}, async (service) => {
    const ids: string[] = [];
    for (const name of ["One", "Two"]) {
      const body = { name, logoUrl: logo("shared") };
      ids.push((await service.call("POST", "/v1/sub-companies", { token, body })).body.id);
    }
    await service.call("PUT", `/v1/sub-companies/${ids[0]}`, {
      token,
      body: { logoUrl: logo("own") },
    });
    await db.database.query(sql`
      insert into logos (company_id, url_hash, url, former_since)
      select ${company.id}, decode(lpad(to_hex(n), 64, '0'), 'hex'), 'https://old.example/' || n, now() - interval '1 day'
      from generate_series(1, 50) as n`);
    await forgetFormerLogos(db.database, company.id);
    const named = await db.database.query<{ url: string }>(sql`
      select url from logos where url like 'https://awa%' order by url`);
    expect(named.map(({ url }) => url)).toEqual([logo("own"), logo("shared")]);
    expect(await db.database.query(sql`select 1 from logos`)).toHaveLength(12);
  });
});

test("429: more new logos a day than the quota, and the change is not made", async ({
  db,
  company: { accessToken: token },
}) => {
  await withService(db, { LOGOS_PER_DAY: "3" }, async (service) => {
    const body = { name: "Shop", logoUrl: logo(0) };
    const { body: made } = await service.call("POST", "/v1/sub-companies", { token, body });
    const put = (logoUrl: string) =>
      service.call("PUT", `/v1/sub-companies/${made.id}`, { token, body: { logoUrl } });
    expect([(await put(logo(1))).status, (await put(logo(2))).status]).toEqual([200, 200]);
    const refused = await put(logo(3));
    expect([refused.status, refused.body.code]).toEqual([429, "quota_exceeded"]);
    expect(refused.body.message).toContain("3 new logos a day");
    // One that is there already costs nothing.
    expect((await put(logo(1))).body.logoUrl).toBe(logo(1));
  });
});

test("a company has no more good keys at once than the quota, also when rotations race", async ({
  db,
}) => {
  const { id: companyId } = await makeCompany(db.database);
  const signals = new Signals(db.url, db.database);
  const rotate = (overlapSeconds: number) =>
    rotateKey(db.database, signals, box, new Date(), { companyId, overlapSeconds }, undefined, 4);
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => rotate(86_400)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  for (const result of results)
    if (result.status === "rejected") expect(result.reason).toBeInstanceOf(TooManyKeys);
  // Those before it end at once, so there is room.
  await rotate(0);
  await rotate(0);
});
