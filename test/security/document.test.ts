import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { packageRoot } from "../../src/kernel/root.ts";
import { guides, guidesPath } from "../../src/reference/guides/guides.ts";
import { makeBelongings, openSink } from "../../torture/api/belongings.ts";
import { exampleBody, kindOfParameter, toAddress } from "../../torture/api/blueprint.ts";
import { fetchDocument, type Operation, readOperations } from "../../torture/api/document.ts";
import { test } from "../fixtures.ts";
import { routesOf } from "../routes-of.ts";

/** Addresses for people, and what catches the rest. They are described in docs/payment-page.md, not in the document. */
const notInTheDocument = [
  "/",
  "/*",
  "/docs",
  guidesPath,
  ...guides.map(({ name }) => `${guidesPath}/${name}`),
  "/guide",
  "/verify",
  "/pay",
  "/pay/*",
  "/pay/:token",
  "/pay/:token/logo",
  "/pay/:token/code",
  "/pay/:token/confirm",
  "/pay/:token/cancel",
  "/pay/:token/change",
  "/wallet",
  "/wallet/*",
  "/wallet/code",
  "/wallet/confirm",
  "/wallet/change",
  "/wallet/leave",
  "/v1/*",
];

const isOfConsole = (url: string) => url === "/console" || url.startsWith("/console/");

test("every route of the router is in the document, or declared here; the others only say 405", async ({
  service,
  company,
}) => {
  const document = await fetchDocument(service.url);
  const known = new Set(
    readOperations(document).map(
      ({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
    ),
  );
  // The console's pages are held to a list of their own: torture/api/console-pages.ts.
  const routes = routesOf(service.app).filter(({ url }) => !isOfConsole(url));
  expect(routes.length).toBeGreaterThan(25);

  const declared = routes.filter(({ url }) => notInTheDocument.includes(url));
  expect(declared.map(({ url }) => url).toSorted()).toEqual(notInTheDocument.toSorted());
  const undocumented: string[] = [];
  for (const { url, methods } of routes.filter((route) => !declared.includes(route))) {
    for (const method of methods.filter((one) => !known.has(`${one} ${url}`))) {
      const path = url.replaceAll(/:\w+/g, "x");
      const { status } = await service.call(method, path, { token: company.accessToken });
      const isHead = method === "HEAD" && known.has(`GET ${url}`);
      if (!isHead && status !== 405) undocumented.push(`${method} ${url}: ${status}`);
    }
  }
  expect(undocumented).toEqual([]);
  const urls = new Set(routes.map(({ url }) => url));
  expect([...known].filter((route) => !urls.has(route.split(" ")[1] ?? ""))).toEqual([]);
});

test("every operation's success has the fields of its schema, and no other", async ({
  service,
  company,
}) => {
  const { accessToken: token } = company;
  const sink = await openSink();
  const belongings = await makeBelongings(service.url, token, "shown", sink);
  const operations = readOperations(await fetchDocument(service.url));
  // What is deleted comes last, so that everything else is there to be read.
  const ordered = operations.toSorted((a, b) => Number(isDelete(a)) - Number(isDelete(b)));

  for (const operation of ordered) {
    const names = operation.parameters.filter((one) => one.in === "path").map(({ name }) => name);
    const path = Object.fromEntries(
      names.map((name) => {
        const ids = belongings[kindOfParameter(operation, name)] ?? [];
        return [name, ids[operation.id === "refundCharge" ? 1 : 0] ?? ""];
      }),
    );
    const query = operation.parameters
      .filter((one) => one.in === "query" && one.required)
      .map(({ name }) => `${name}=2250700000000`);
    const address = `${toAddress({ operation, path })}?${query.join("&")}`;
    const body = exampleBody(operation, `shown-${operation.id}`);
    const answer = await service.call(operation.method, address, {
      ...(operation.needsToken ? { token } : {}),
      ...(body === undefined ? {} : { body }),
    });
    expect(operation.statuses, `${operation.id} ${JSON.stringify(answer.body)}`).toContain(
      answer.status,
    );
    expect(answer.status, operation.id).toBeLessThan(300);
    if (answer.status !== 204 && operation.id !== "getMetrics")
      expect(operation.findProblem(answer.status, answer.body), operation.id).toBeUndefined();
  }
  await sink.close();
});

test("SECURITY.md names tests that are there", () => {
  const text = readFileSync(join(packageRoot, "SECURITY.md"), "utf8");
  const named = [...text.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, path]) => path ?? "");

  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([]);
});

const isDelete = ({ method }: Operation): boolean => method === "DELETE";
