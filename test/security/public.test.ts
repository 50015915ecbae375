import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { sql } from "../../src/database/sql.ts";
import { packageRoot } from "../../src/kernel/root.ts";
import { version } from "../../src/kernel/version.ts";
import { makeCompany, makeCustomer, productionSettings, startService, test } from "../fixtures.ts";
import { routesOf } from "../routes-of.ts";

const names = { company: "Quincaillerie Zango", person: "zango.owner@example.com" };
const amounts = { fund: 7_654_321 };
const metricsToken = "watcher-0123456789abcdef";

test("a production node with only what it requires tells strangers nothing of people, volumes or versions", async ({
  db,
}) => {
  const company = await makeCompany(db.database, { name: names.company, ...amounts });
  await makeCustomer(db.database, "2250712345678");
  await db.database.query(sql`
    insert into people (person_id, email) values (gen_random_uuid(), ${names.person})`);
  const service = await startService(db, productionSettings(db));
  onTestFinished(() => service.stop());
  const { accessToken: token } = company;
  const body = { type: "transfer", amount: 54_321, msisdn: "2250712345678", reference: "zango-1" };
  expect((await service.call("POST", "/v1/transactions", { token, body })).status).toBe(201);

  const secrets = [
    version,
    names.company,
    "zango",
    company.id,
    "7654321",
    "7 654 321",
    "54321",
    "2250712345678",
    process.version,
    "PostgreSQL",
    "fastify",
    new URL(db.url).pathname.slice(1),
    "cauri_http_requests",
    "# HELP",
  ];
  const routes = routesOf(service.app);
  expect(routes.length).toBeGreaterThan(120);
  const paths = [
    ...routes.map(({ url }) => url.replaceAll(/:\w+|\*/g, "x1")),
    "/x",
    "/%zz",
    "/.git",
  ];
  let shown = 0;
  for (const path of paths)
    for (const [method, accept] of [
      ["GET", "text/html"],
      ["GET", "application/json"],
      ["POST", "text/html"],
    ] as const) {
      const answer = await fetch(service.url + path, {
        method,
        redirect: "manual",
        headers: { accept },
      });
      const text = `${[...answer.headers].join("\n")}\n${await answer.text()}`.toLowerCase();
      if (answer.status === 200) shown += 1;
      // A guide names what its readers may use.
      const isGuide = path.startsWith("/docs/guides/");
      for (const secret of secrets.filter((word) => !isGuide || word !== "fastify"))
        expect(text.includes(secret.toLowerCase()), `${method} ${path} tells ${secret}`).toBe(
          false,
        );
      expect(answer.headers.has("server"), path).toBe(false);
    }
  expect(shown).toBeGreaterThan(10);
  expect((await service.call("GET", "/metrics")).status).toBe(404);
  expect((await service.call("GET", "/healthz")).body).toEqual({ status: "ok" });
  expect((await service.call("GET", "/readyz")).body).toEqual({ status: "ok" });
});

test("metrics are for whoever has the token, and not ready is said without a why to others", async ({
  db,
}) => {
  for (const settings of [productionSettings(db), {}]) {
    const service = await startService(db, { ...settings, METRICS_TOKEN: metricsToken });
    onTestFinished(() => service.stop());
    const ask = (path: string, token?: string) =>
      service.call("GET", path, token === undefined ? {} : { token });
    for (const wrong of [undefined, "", `${metricsToken}x`, metricsToken.slice(1), "at_x"]) {
      const { status, body } = await ask("/metrics", wrong);
      expect([status, body.code]).toEqual([404, "route_not_found"]);
    }
    const { status, body } = await ask("/metrics", metricsToken);
    expect(status).toBe(200);
    expect(body).toContain("cauri_build_info");

    await db.database.query(sql`
      insert into schema_migrations (version, name, hash, compatible_from)
      select max(version) + 1, 'of-tomorrow.sql', 'unknown', max(version) + 1 from schema_migrations`);
    const stranger = await ask("/readyz");
    expect([stranger.status, stranger.body]).toEqual([503, { status: "unavailable" }]);
    expect((await ask("/readyz", metricsToken)).body).toEqual({
      status: "unavailable",
      reason: "schema",
      problem: expect.stringContaining("newer"),
    });
    await db.database.query(sql`delete from schema_migrations where name = 'of-tomorrow.sql'`);
  }
});

test("staging needs no token for its metrics", async ({ service }) => {
  expect((await service.call("GET", "/metrics")).status).toBe(200);
});

test("what the documents show for Prometheus sends the token", () => {
  const read = (name: string) => readFileSync(join(packageRoot, name), "utf8");
  expect(read("docs/operating.md")).toContain("METRICS_TOKEN");
  expect(read("deploy/prometheus/prometheus.yml")).toMatch(/authorization:\s+credentials_file:/);
  expect(read("docs/runbook.md")).not.toMatch(/curl -s (?:http:\/\/)?\$\w+(?::\d+)?\/metrics/);
});
