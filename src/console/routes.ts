import { acceptsGzip } from "../http/compress-answers.ts";
import { RouteNotFound } from "../http/errors.ts";
import { collectRoutes, refuseOtherMethods, refuseTheRest } from "../http/other-methods.ts";
import type { App } from "../http/server.ts";
import { readForms } from "../pages/form.ts";
import { hemIn } from "../pages/send-page.ts";
import { approvalScreens } from "./approvals/screens.tsx";
import { problemHandler } from "./bare.tsx";
import { collectionScreens } from "./collections/routes.tsx";
import { companyScreens } from "./companies.tsx";
import { deliveryScreens } from "./developers/delivery-screens.tsx";
import { keyScreens } from "./developers/key-screens.tsx";
import { requestScreens } from "./developers/request-screens.tsx";
import { signatureScreens } from "./developers/signature-screens.tsx";
import { webhookScreens } from "./developers/webhook-screens.tsx";
import { homeScreens } from "./home/routes.tsx";
import { languageRoutes } from "./language.ts";
import { joinRoutes } from "./login/join-routes.tsx";
import { loginRoutes } from "./login/login-routes.tsx";
import { passkeyRoutes } from "./login/passkey-routes.tsx";
import { secondFactorRoutes } from "./login/second-factor-routes.tsx";
import { operatorScreens } from "./operations/screens.ts";
import type { ConsoleParts } from "./parts.ts";
import { payrollScreens } from "./payroll/screens.tsx";
import { collectProofs } from "./proofs.ts";
import { screen } from "./screen.ts";
import { sections } from "./sections.ts";
import { statementScreens } from "./statements/routes.tsx";
import { stepUpRoutes } from "./step-up.tsx";
import { subCompanyScreens } from "./sub-companies/routes.tsx";
import { accountScreens } from "./team/account-screens.tsx";
import { passkeyScreens } from "./team/passkey-screens.tsx";
import { teamScreens } from "./team/team-screens.tsx";
import { trailScreens } from "./trail/trail-screens.tsx";
import { transferScreens } from "./transfers/routes.tsx";
import { packedStylesheet, stylesheet, stylesPath } from "./views/stylesheet.ts";

export const consolePrefix = "/console/";

const hidden = { schema: { hide: true } };
/** Of a form whose route says nothing else. */
const formBytesMax = 16 * 1_024;
const yearSeconds = 31_536_000;

/** The console, in a scope of its own: forms in, HTML out, also to errors. */
export async function consoleRoutes(scope: App, parts: ConsoleParts): Promise<void> {
  const routes = collectRoutes(scope);
  const endCollecting = collectProofs(scope);
  readForms(scope, formBytesMax);
  scope.setErrorHandler(problemHandler(parts));
  scope.get(stylesPath, hidden, async (request, reply) => {
    hemIn(reply)
      .header("cache-control", `public, max-age=${yearSeconds}, immutable`)
      .header("vary", "Accept-Encoding")
      .type("text/css; charset=utf-8");
    if (!acceptsGzip(request.headers["accept-encoding"])) return reply.send(stylesheet);
    return reply.header("content-encoding", "gzip").send(packedStylesheet);
  });
  loginRoutes(scope, parts);
  passkeyRoutes(scope, parts);
  joinRoutes(scope, parts);
  secondFactorRoutes(scope, parts);
  stepUpRoutes(scope, parts);
  languageRoutes(scope, parts);
  companyScreens(scope, parts);
  homeScreens(scope, parts);
  transferScreens(scope, parts);
  statementScreens(scope, parts);
  payrollScreens(scope, parts);
  approvalScreens(scope, parts);
  collectionScreens(scope, parts);
  subCompanyScreens(scope, parts);
  keyScreens(scope, parts);
  webhookScreens(scope, parts);
  deliveryScreens(scope, parts);
  signatureScreens(scope, parts);
  requestScreens(scope, parts);
  teamScreens(scope, parts);
  accountScreens(scope, parts);
  passkeyScreens(scope, parts);
  trailScreens(scope, parts);
  operatorScreens(scope, parts);

  if (!scope.hasRoute({ method: "GET", url: "/console" })) showFirstSection(scope, parts);
  endCollecting();
  refuseOtherMethods(scope, routes);
  refuseTheRest(scope, "/console/*");
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
