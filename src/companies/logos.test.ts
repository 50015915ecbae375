import { describe, expect, onTestFinished } from "vitest";
import {
  makeCompany,
  productionSettings,
  startService,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import { passLogoTime, startLogoHost } from "../../test/logo-host.ts";
import { padded, pictures } from "../../test/pictures.ts";
import { patience } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { logoBytesMax } from "./logo.ts";
import { findLogo } from "./logos.ts";

describe("a sub-company's logo", () => {
  test("is fetched once, whole, and told by its bytes", async ({ db, service, company }) => {
    const host = await startLogoHost({
      "/a.png": pictures.png,
      "/b": pictures.jpeg,
      "/c.svg?v=2": pictures.webpLossy,
      "/d.png": padded(pictures.png, logoBytesMax),
    });
    const expected = {
      "/a.png": { type: "image/png", bytes: pictures.png },
      "/b": { type: "image/jpeg", bytes: pictures.jpeg },
      "/c.svg?v=2": { type: "image/webp", bytes: pictures.webpLossy },
      "/d.png": { type: "image/png", bytes: padded(pictures.png, logoBytesMax) },
    };
    for (const path of Object.keys(expected)) await create(service, company, host.url + path);
    await untilNoneWaits(db);

    for (const [path, logo] of Object.entries(expected))
      expect(await findLogo(db.database, company.id, host.url + path), path).toEqual(logo);
    expect(host.asked.toSorted()).toEqual(Object.keys(expected));
  });

  test("that is no small picture is given up at once", async ({ db, service, company }) => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
    const host = await startLogoHost({
      "/svg": svg,
      "/html": "<!doctype html><title>Welcome</title>",
      "/empty": "",
      "/large": padded(pictures.png, logoBytesMax + 1),
      "/endless": (response) => {
        response.writeHead(200);
        response.write(padded(pictures.png, 1_000_000));
      },
      "/gzip": (response) => {
        response.writeHead(200, { "content-encoding": "gzip" }).end(Buffer.from([0x1f, 0x8b, 8]));
      },
    });
    const paths = ["/svg", "/html", "/empty", "/large", "/endless", "/gzip"];
    for (const path of paths) await create(service, company, host.url + path);
    await untilNoneWaits(db);

    for (const path of paths)
      expect(await findLogo(db.database, company.id, host.url + path), path).toBeUndefined();
    expect(await logos(db)).toEqual(paths.map(() => expect.objectContaining(failedAfter(1))));
    await passLogoTime(db.database);
    expect(host.asked.toSorted()).toEqual(paths.toSorted());
  });

  test("that moved elsewhere is not followed there", async ({ db, service, company }) => {
    const elsewhere = await startLogoHost({ "/logo.png": pictures.png });
    const host = await startLogoHost({
      "/logo.png": (response) =>
        void response.writeHead(302, { location: `${elsewhere.url}/logo.png` }).end(pictures.png),
    });
    await create(service, company, `${host.url}/logo.png`);
    await untilTries(db, 1);

    expect(await logos(db)).toMatchObject([{ status: "waiting", problem: "answered 302" }]);
    expect(elsewhere.asked).toEqual([]);
    expect(await findLogo(db.database, company.id, `${host.url}/logo.png`)).toBeUndefined();
  });

  test("that is not there yet is asked for again, and found", async ({ db, service, company }) => {
    const host = await startLogoHost({
      "/logo.png": (response) =>
        host.asked.length === 1
          ? void response.writeHead(404).end()
          : host.asked.length === 2
            ? void response.destroy()
            : void response.writeHead(200).end(pictures.png),
    });
    await create(service, company, `${host.url}/logo.png`);
    for (const tries of [1, 2]) {
      await untilTries(db, tries);
      expect(await logos(db)).toMatchObject([{ status: "waiting" }]);
      await passLogoTime(db.database);
    }
    await untilNoneWaits(db);

    expect(await logos(db)).toMatchObject([{ status: "fetched", tries: 3, problem: null }]);
    expect(await findLogo(db.database, company.id, `${host.url}/logo.png`)).toBeDefined();
    expect(host.asked).toHaveLength(3);
  });

  test("is given up after five tries, and tried anew when its URL is sent again", async ({
    db,
    service,
    company,
  }) => {
    const host = await startLogoHost({});
    const { id } = await create(service, company, `${host.url}/logo.png`);
    for (let tries = 1; tries <= 5; tries += 1) {
      await untilTries(db, tries);
      await passLogoTime(db.database);
    }
    expect(await logos(db)).toMatchObject([failedAfter(5)]);
    expect(host.asked).toHaveLength(5);

    await change(service, company, id, { name: "Autre nom" });
    await change(service, company, id, { logoUrl: `${host.url}/logo.png` });
    await expect.poll(() => host.asked.length, patience).toBe(6);
    await untilTries(db, 1);
    expect(await logos(db)).toMatchObject([{ status: "waiting" }]);
  });

  test("is not fetched again while its URL stays, and kept when it changes", async ({
    db,
    service,
    company,
  }) => {
    const host = await startLogoHost({ "/old.png": pictures.png, "/new.png": pictures.jpeg });
    const { id } = await create(service, company, `${host.url}/old.png`);
    await untilNoneWaits(db);
    await change(service, company, id, { logoUrl: `${host.url}/old.png`, name: "Autre nom" });
    await change(service, company, id, { isActive: false });
    await create(service, company, `${host.url}/old.png`);
    await change(service, company, id, { logoUrl: `${host.url}/new.png` });
    await untilNoneWaits(db);

    expect(host.asked).toEqual(["/old.png", "/new.png"]);
    for (const path of ["/old.png", "/new.png"])
      expect(await findLogo(db.database, company.id, host.url + path), path).toBeDefined();
  });

  test("is fetched once for many sub-companies made at once, and once per company", async ({
    db,
    service,
    company,
  }) => {
    const other = await makeCompany(db.database, { name: "Other" });
    const host = await startLogoHost({ "/logo.png": pictures.png });
    const url = `${host.url}/logo.png`;
    await Promise.all(Array.from({ length: 10 }, () => create(service, company, url)));
    await untilNoneWaits(db);
    expect(host.asked).toHaveLength(1);
    expect(await findLogo(db.database, other.id, url)).toBeUndefined();

    await create(service, other, url);
    await untilNoneWaits(db);
    expect(host.asked).toHaveLength(2);
    expect(await findLogo(db.database, other.id, url)).toBeDefined();
  });

  test("is not fetched when the request that named it changed nothing", async ({
    db,
    service,
    company,
  }) => {
    const host = await startLogoHost({ "/logo.png": pictures.png });
    const unknown = "subco_019b2d5f3a7c7c0f8000a1b2c3d4e5f6";
    const answer = await service.call("PUT", `/v1/sub-companies/${unknown}`, {
      token: company.accessToken,
      body: { logoUrl: `${host.url}/logo.png` },
    });

    expect(answer.status).toBe(404);
    expect(await logos(db)).toEqual([]);
    expect(host.asked).toEqual([]);
  });
});

test("in production no logo leads inside", async ({ db, company }) => {
  const canary = await startLogoHost({ "/logo.png": pictures.png });
  const service = await startService(db, productionSettings(db));
  onTestFinished(() => service.stop());
  const urls = [
    `https://127.0.0.1:${canary.port}/logo.png`,
    "https://127.0.0.1/logo.png",
    "https://localhost/logo.png",
    "https://[::1]/logo.png",
    "https://10.0.0.1/logo.png",
    "https://169.254.169.254/latest/meta-data/",
    "https://2130706433/logo.png",
  ];
  for (const url of urls) await create(service, company, url);
  await untilNoneWaits(db);

  const found = await logos(db);
  expect(found).toEqual(urls.map(() => expect.objectContaining(failedAfter(1))));
  for (const { problem } of found) expect(problem).toMatch(/^refused: /);
  expect(canary.asked).toEqual([]);
});

test("a node that stops leaves the logo in hand to the next, without counting a try", async ({
  db,
  company,
}) => {
  const host = await startLogoHost({
    "/logo.png": (response) => {
      // The first node gets no answer.
      if (host.asked.length > 1) response.writeHead(200).end(pictures.png);
    },
  });
  const first = await startService(db);
  await create(first, company, `${host.url}/logo.png`);
  await expect.poll(() => host.asked.length, patience).toBe(1);
  await first.stop();
  expect(await logos(db)).toMatchObject([{ status: "waiting", tries: 0 }]);

  const second = await startService(db);
  onTestFinished(() => second.stop());
  await untilNoneWaits(db);
  expect(await logos(db)).toMatchObject([{ status: "fetched", tries: 1 }]);
});

async function create(service: TestService, { accessToken: token }: TestCompany, logoUrl: string) {
  const body = { name: "Boutique Awa", logoUrl };
  const answer = await service.call("POST", "/v1/sub-companies", { token, body });
  expect(answer.status).toBe(201);
  return answer.body;
}

async function change(
  service: TestService,
  { accessToken: token }: TestCompany,
  id: string,
  body: object,
): Promise<void> {
  const answer = await service.call("PUT", `/v1/sub-companies/${id}`, { token, body });
  expect(answer.status).toBe(200);
}

function failedAfter(tries: number) {
  return { status: "failed", tries };
}

async function logos({ database }: TestDatabase) {
  return database.query<{ status: string; tries: number; problem: string | null }>(
    sql`select status, tries, problem from logos`,
  );
}

async function untilNoneWaits(db: TestDatabase): Promise<void> {
  await expect
    .poll(async () => (await logos(db)).filter(({ status }) => status === "waiting"), patience)
    .toEqual([]);
}

/** Until the only logo there is was tried so often. */
async function untilTries(db: TestDatabase, tries: number): Promise<void> {
  await expect
    .poll(async () => (await logos(db)).map((logo) => logo.tries), patience)
    .toEqual([tries]);
}
