import { RouteNotFound } from "../http/errors.ts";
import { type App, collectRoutes, refuseOtherMethods } from "../http/server.ts";
import { hemIn } from "../pages/send-page.ts";
import { problemHandler } from "./bare.tsx";
import { companyScreens } from "./companies.tsx";
import { homeScreens } from "./home/routes.tsx";
import type { ConsoleParts } from "./parts.ts";
import { screen } from "./screen.ts";
import { sections } from "./sections.ts";
import { statementScreens } from "./statements/routes.tsx";
import { transferScreens } from "./transfers/routes.tsx";
import { stylesheet, stylesPath } from "./views/stylesheet.ts";

export const consolePrefix = "/console/";

const hidden = { schema: { hide: true } };
const yearSeconds = 31_536_000;

/** The console, in a scope of its own: forms in, HTML out, also to errors. */
export async function consoleRoutes(scope: App, parts: ConsoleParts): Promise<void> {
  const routes = collectRoutes(scope);
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: unknown, body: string) => new URLSearchParams(body),
  );
  scope.setErrorHandler(problemHandler(parts));
  scope.get(stylesPath, hidden, async (_request, reply) =>
    hemIn(reply)
      .header("cache-control", `public, max-age=${yearSeconds}, immutable`)
      .type("text/css; charset=utf-8")
      .send(stylesheet),
  );
  companyScreens(scope, parts);
  homeScreens(scope, parts);
  transferScreens(scope, parts);
  statementScreens(scope, parts);

  if (!scope.hasRoute({ method: "GET", url: "/console" })) showFirstSection(scope, parts);
  refuseOtherMethods(scope, routes);
  scope.all("/console/*", hidden, async () => {
    throw new RouteNotFound();
  });
}

/** Without a home page the address leads to the first section that the person may open. */
function showFirstSection(scope: App, parts: ConsoleParts): void {
  screen(scope, parts, "/console", { may: "anyone" }, async ({ may, seeOther }) => {
    const first = sections.find(
      ({ path, may: needed }) =>
        path !== "/console" &&
        scope.hasRoute({ method: "GET", url: path }) &&
        (needed.length === 0 || needed.some(may)),
    );
    if (first === undefined) throw new RouteNotFound();
    return seeOther(first.path);
  });
}
