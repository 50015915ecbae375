import { describe, expect, onTestFinished } from "vitest";
import { joinBy, signedIn } from "../../test/access.ts";
import { giveAuthenticator } from "../../test/authenticator.ts";
import { type SignedIn, signIn, signInOperator } from "../../test/console.ts";
import { consolePathsOf } from "../../test/console-paths.ts";
import { somebody } from "../../test/desk.ts";
import { startService, type TestDatabase, type TestService, test } from "../../test/fixtures.ts";
import { contentsOf } from "../../test/table-contents.ts";
import { type ConsolePage, consolePages, doors } from "../../torture/api/console-pages.ts";
import { sql } from "../database/sql.ts";
import { companyRoles, type Permission, type Role } from "../staff/roles.ts";
import { formTokenOf } from "../staff/sessions.ts";

/** Who may do what, said once more: what roles.ts lets somebody do beyond this is noticed here. */
const rolesOf: Readonly<Record<Permission, readonly Role[]>> = {
  "balance.read": ["owner", "preparer", "approver", "reader"],
  "transfers.read": ["owner", "preparer", "approver", "reader", "developer"],
  "transfers.propose": ["owner", "preparer"],
  "approvals.decide": ["owner", "approver"],
  "charges.read": ["owner", "preparer", "approver", "reader", "developer"],
  "charges.propose": ["owner", "preparer"],
  "refunds.propose": ["owner", "preparer"],
  "statements.read": ["owner", "preparer", "approver", "reader"],
  "keys.manage": ["owner", "developer"],
  "webhooks.manage": ["owner", "developer"],
  "requests.read": ["owner", "developer"],
  "team.manage": ["owner"],
  "trail.read": ["owner", "approver"],
  "sub_companies.manage": ["owner"],
  operations: ["operator"],
};
const needSecondFactor: readonly Role[] = ["owner", "approver", "developer", "operator"];

/** Whoever is signed in gets there, whomever it works for and whatever it lacks. */
const whileItIsMissing = ["/console/second-factor", "/console/language", "/console/logout"];
const ofNoCompany = [...whileItIsMissing, "/console/companies", "/console/step-up/challenge"];

/** What has to come of a visit: the page or what is in its way there, a refusal, or another page first. */
type Expected = "let in" | 403 | `sent to ${string}`;

const nameOf = ({ method, path }: ConsolePage) => `${method} ${path}`;

function expectedOf({ path, may }: ConsolePage, role: Role): Expected {
  if (ofNoCompany.includes(path)) return "let in";
  const roles = may.flatMap((permission) => rolesOf[permission]);
  if (roles.includes("operator")) return role === "operator" ? "let in" : 403;
  if (role === "operator") return "sent to /console/operations";
  return may.length === 0 || roles.includes(role) ? "let in" : 403;
}

interface Sent {
  readonly by: SignedIn | undefined;
  /** Of the form; undefined: none. */
  readonly token?: string | undefined;
  readonly origin?: string;
}

interface Seen {
  readonly status: number;
  readonly location: string;
}

/** Asks for a page, or sends a form with good fields. Ids are nobody's: who may not is refused before anybody looks for them. */
async function send(
  { app }: Pick<TestService, "app">,
  { method, path, fields, ids }: ConsolePage,
  { by, token, origin }: Sent,
): Promise<Seen> {
  const address = path.replaceAll(/\{([\w-]+)\}/g, `x_${"0".repeat(32)}`);
  const unknown = Object.fromEntries(Object.keys(ids).map((name) => [name, "x"]));
  const given = new URLSearchParams({ ...fields, ...unknown });
  if (token !== undefined) given.set("token", token);
  const isUpload = path.endsWith("/upload");
  const isInAddress = method === "GET" || isUpload;
  const answer = await app.inject({
    method,
    url: isInAddress && given.size > 0 ? `${address}?${given.toString()}` : address,
    headers: {
      ...(by === undefined ? {} : { cookie: `cauri_console=${by.sessionToken}` }),
      ...(origin === undefined ? {} : { origin }),
      ...(method === "POST" ? { "content-type": isUpload ? file.type : formType } : {}),
    },
    ...(method === "POST" ? { payload: isUpload ? file.body : given.toString() } : {}),
  });
  return { status: answer.statusCode, location: answer.headers.location ?? "" };
}

const formType = "application/x-www-form-urlencoded";
const file = {
  type: "multipart/form-data; boundary=x",
  body: [
    "--x",
    'content-disposition: form-data; name="file"; filename="paie.csv"',
    "content-type: text/csv",
    "",
    "telephone;montant;reference;motif\n+2250700000000;5000;paie-1;",
    "--x--",
    "",
  ].join("\r\n"),
};

function outcomeOf({ status, location }: Seen): string {
  const [, place] =
    /^(\/console\/(?:login|second-factor|operations|companies))(?:\/code)?(?:\?next=.*)?$/.exec(
      location,
    ) ?? [];
  if (status === 303 && place !== undefined) return `sent to ${place}`;
  return status === 403 || status >= 500 ? String(status) : "let in";
}

/** Visits every page as one person; answers what is not as it has to be. */
async function wander(
  service: TestService,
  by: SignedIn | undefined,
  expectedOn: (page: ConsolePage) => Expected,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const page of consolePages) {
    const token = page.method === "POST" ? by?.formToken : undefined;
    const found = outcomeOf(await send(service, page, { by, token }));
    const expected = String(expectedOn(page));
    if (found !== expected) wrong.push(`${nameOf(page)}: ${found}, not ${expected}`);
  }
  return wrong;
}

/** Without workers, which change tables by themselves. */
async function quietService(db: TestDatabase): Promise<TestService> {
  const service = await startService(db, { ROLES: "api" });
  onTestFinished(() => service.stop());
  return service;
}

test("every page and form of the console is in the table", async ({ service }) => {
  const known = [...consolePages, ...doors].map(({ method, path }) => ({
    method,
    path: path
      .replace("{replays}", ":replay")
      .replace("/deliveries/1", "/deliveries/:number")
      .replace(/\{[\w-]+\}/, ":id")
      .replace("join/unknown", "join/:token"),
  }));
  const paths = consolePathsOf(service);
  expect([...new Set(known.map(({ path }) => path))].toSorted()).toEqual(paths.toSorted());

  const unlisted: string[] = [];
  for (const path of paths)
    for (const method of ["GET", "POST"] as const) {
      if (known.some((one) => one.path === path && one.method === method)) continue;
      const url = path.replaceAll(/:\w+/g, "x");
      const { statusCode } = await service.app.inject({ method, url });
      if (statusCode !== 405) unlisted.push(`${method} ${path}: ${statusCode}`);
    }
  expect(unlisted).toEqual([]);
});

describe("every page and form", () => {
  test.for([...companyRoles, "operator"] as const)(
    "lets a signed-in %s do what the role allows, and nothing else",
    async (role, { db, company }) => {
      const service = await quietService(db);
      const by =
        role === "operator" ? await signInOperator(db) : await signIn(db, company.id, role);
      await giveAuthenticator(db.database, by);

      expect(await wander(service, by, (page) => expectedOf(page, role))).toEqual([]);
    },
  );

  test("sends whoever is not signed in, or not with the second factor yet, to where that is done", async ({
    db,
    company,
  }) => {
    const service = await quietService(db);
    const half = await signIn(db, company.id, "owner");
    await db.database.query(sql`update staff_sessions set is_open = false`);
    const forgotten = { ...half, sessionToken: "A".repeat(43) };

    for (const by of [undefined, half, forgotten])
      expect(await wander(service, by, () => "sent to /console/login")).toEqual([]);
  });

  test("sends whose role needs a second factor and who has none to set one up, forms included", async ({
    db,
    company,
  }) => {
    const service = await quietService(db);
    const people = await Promise.all(
      needSecondFactor.map((role) =>
        role === "operator" ? signInOperator(db) : signIn(db, company.id, role),
      ),
    );
    await db.database.query(sql`update people set totp_sealed = null`);

    for (const by of people)
      expect(
        await wander(service, by, ({ path }) =>
          whileItIsMissing.includes(path) ? "let in" : "sent to /console/second-factor",
        ),
      ).toEqual([]);
  });

  test("lets nobody into a company before the membership is confirmed", async ({ db, company }) => {
    const service = await quietService(db);
    const owner = somebody((await signIn(db, company.id, "owner")).personId);
    for (const role of ["approver", "owner"] as const) {
      const email = `${role}@shop.example`;
      const { who, requestId } = await joinBy(db.database, owner, company.id, email, role);
      expect(requestId).toBeDefined();
      const { sessionToken } = await signedIn(db.database, who, company.id);
      const formToken = formTokenOf(sessionToken, company.id);
      const by = { personId: who.personId, email, sessionToken, formToken };
      await giveAuthenticator(db.database, by);

      expect(
        await wander(service, by, (page) => {
          if (ofNoCompany.includes(page.path)) return "let in";
          return page.may.includes("operations") ? 403 : "sent to /console/companies";
        }),
      ).toEqual([]);
    }
  });
});

describe("every form", () => {
  const isForm = ({ method }: ConsolePage) => method === "POST";

  test("403 and nothing changes: without a token, with an empty, a wrong or another session's one, from another site", async ({
    db,
    company,
  }) => {
    const service = await quietService(db);
    const owner = await signIn(db, company.id, "owner", "owner@shop.example");
    const again = await signIn(db, company.id, "owner", "owner@shop.example");
    const operator = await signInOperator(db);
    const half = await signIn(db, company.id, "owner");
    await db.database.query(sql`
      update staff_sessions set is_open = false where person_id = ${half.personId}`);
    const steps = doors.filter(
      (page) => isForm(page) && page.path.startsWith("/console/login/code"),
    );
    const before = await contentsOf(db);
    const wrong: string[] = [];
    for (const page of [...consolePages.filter(isForm), ...steps]) {
      const isOperators = page.may.includes("operations");
      const by = steps.includes(page) ? half : isOperators ? operator : owner;
      const tries: readonly Sent[] = [
        { by },
        { by, token: "" },
        { by, token: "x".repeat(43) },
        { by, token: by.formToken.slice(1) },
        { by, token: again.formToken },
        { by, token: by.formToken, origin: "https://evil.example" },
      ];
      for (const [index, one] of tries.entries()) {
        const { status } = await send(service, page, one);
        if (status !== 403) wrong.push(`${nameOf(page)}, try ${index}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(await contentsOf(db)).toEqual(before);
  });

  test("403 and nothing changes: from another site, at every door", async ({ db }) => {
    const service = await quietService(db);
    const before = await contentsOf(db);
    const statuses: string[] = [];
    for (const page of doors.filter(isForm)) {
      const { status } = await send(service, page, {
        by: undefined,
        origin: "https://evil.example",
      });
      statuses.push(`${nameOf(page)}: ${status}`);
    }
    expect(statuses.filter((text) => !text.endsWith(": 403"))).toEqual([]);
    expect(await contentsOf(db)).toEqual(before);
  });
});
