import { expect } from "vitest";
import { otherFormsOf } from "../address-forms.ts";
import { test } from "../fixtures.ts";
import { startLogged } from "../logged-service.ts";
import { routesOf } from "../routes-of.ts";

/** What answers for addresses that are not there; "none" is the server itself. */
const catchAll = /^(?:\/(?:pay\/|wallet\/|console\/)?\*|none)$/;

test("every address has one form, and below /v1 a second one with a slash at its end", async ({
  db,
  company,
}) => {
  const { app, ask } = await startLogged(db);
  const routes = routesOf(app).filter(({ url }) => !url.includes("*"));
  expect(routes.length).toBeGreaterThan(120);

  const reached: string[] = [];
  let tried = 0;
  for (const { url, methods } of routes) {
    const path = url.replaceAll(/:\w+/g, "x1");
    const isApi = url.startsWith("/v1/");
    const [method = ""] = methods;
    const own = await ask(method, path, company.accessToken);
    expect(own.route, `${method} ${path}`).toBe(url);
    if (isApi) {
      const slashed = await ask(method, `${path}/`, company.accessToken);
      expect(slashed, `${method} ${path}/`).toEqual(own);
    }
    for (const form of otherFormsOf(path)) {
      if (isApi && (form === `${path}/` || form === `${path}/?`)) continue;
      const { status, route = "?" } = await ask(method, form, company.accessToken);
      tried += 1;
      // Below /v1 an id may be anything: one that is not there is looked for, or has no such method.
      const isNowhere = isApi
        ? status === 404 || (status === 405 && route !== url)
        : status === 404 && catchAll.test(route);
      if (status !== 400 && !isNowhere) reached.push(`${method} ${form}: ${status} ${route}`);
    }
  }
  expect(tried).toBeGreaterThan(5_000);
  expect(reached).toEqual([]);
});
