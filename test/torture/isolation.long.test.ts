import { expect } from "vitest";
import { consolePages, doors } from "../../torture/api/console-pages.ts";
import { attackIsolation, isolation } from "../../torture/isolation/isolation.ts";
import { auditDifferences, makeCompany, type TestService, test } from "../fixtures.ts";
import { shortCampaign, shortTimeoutMs } from "./short.ts";

test(isolation.promises, { timeout: shortTimeoutMs }, async ({ db, service }) => {
  const { counts, findings } = await attackIsolation(shortCampaign(1), {
    url: service.url,
    database: db.database,
    makeCompany: (request) => makeCompany(db.database, request),
    auditFindings: async () =>
      (await auditDifferences(db.database)).map((difference) => JSON.stringify(difference)),
  });

  expect(findings).toEqual([]);
  expect(counts["tries"]).toBeGreaterThan(900);
});

test("the attacks on the console know every page and form of it", async ({ service }) => {
  const known = [...consolePages, ...doors].map(({ method, path }) => ({
    method,
    path: path
      .replace("{replays}", ":replay")
      .replace("/deliveries/1", "/deliveries/:number")
      .replace(/\{[\w-]+\}/, ":id")
      .replace("join/unknown", "join/:token"),
  }));
  const paths = consolePathsOf(service).filter((path) => !/\/assets\/|\*/.test(path));
  expect([...new Set(known.map(({ path }) => path))].toSorted()).toEqual(paths.toSorted());

  const unlisted: string[] = [];
  for (const path of paths)
    for (const method of ["GET", "POST"] as const) {
      if (known.some((one) => one.path === path && one.method === method)) continue;
      const { statusCode } = await service.app.inject({ method, url: path });
      if (statusCode !== 405) unlisted.push(`${method} ${path}: ${statusCode}`);
    }
  expect(unlisted).toEqual([]);
});

/** The addresses below /console that the service has, read from the tree it prints. */
function consolePathsOf({ app }: TestService): string[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const [, indent = "", part = "", methods] =
        /^([\s│]*)[├└]── (\S+)(?: \((.*)\))?/.exec(line) ?? [];
      const depth = indent.length / 4;
      above.splice(depth, above.length, part);
      const path = above.join("");
      return methods !== undefined && /^\/console\b/.test(path) ? [path] : [];
    });
}
