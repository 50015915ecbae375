import { expect, onTestFinished } from "vitest";
import { invite } from "../../src/access/links.ts";
import { openWalletSession } from "../../src/customers/wallet-sessions.ts";
import { companyRoles } from "../../src/staff/roles.ts";
import { openSession } from "../../src/staff/sessions.ts";
import { operator } from "../../src/trail/actor.ts";
import { makeBelongings, openSink } from "../../torture/api/belongings.ts";
import { consolePages } from "../../torture/api/console-pages.ts";
import { makeConsoleThings } from "../../torture/api/console-things.ts";
import { ChargeClient } from "../charges.ts";
import { signInOperator } from "../console.ts";
import { makeCustomer, startService, type TestService, test } from "../fixtures.ts";
import { contentsOf } from "../table-contents.ts";

/**
 * What may be another after a GET, each with its reason. Nothing in it is anybody's data, and none of it lets anybody do
 * more or less than before.
 */
const mayChange = {
  /** When a session was last used, so that it idles out; and what a page says once. */
  staff_sessions: ["seen_at", "notice"],
  wallet_sessions: ["seen_at"],
  /** When a key was last used. */
  key_uses: ["used_at"],
};
/** Tables that only count requests, or write them down. */
const counts = ["request_log", "quota_uses"];

const phone = "2250711223344";

interface Visit {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

test("no GET changes anything: every address, by everybody who may ask for it", async ({
  db,
  company,
}) => {
  const { database } = db;
  const sink = await openSink();
  onTestFinished(() => sink.close());
  await makeCustomer(database, phone);
  const busy = await startService(db);
  const { accessToken: token, id } = company;
  const belongings = await makeBelongings(busy.url, token, "mark", sink);
  const things = await makeConsoleThings({ url: busy.url, database }, { id, belongings }, "mark");
  const due = await new ChargeClient(busy, company).create();
  await busy.stop();
  const service = await startService(db, { ROLES: "api" });
  onTestFinished(() => service.stop());

  const half = await database.transaction((tx) =>
    openSession(tx, new Date(), {
      personId: things.people.owner.personId,
      companyId: null,
      isOpen: false,
      address: "192.0.2.1",
      device: "a test",
    }),
  );
  const wallet = await database.transaction((tx) => openWalletSession(tx, phone));
  const guest = { email: "guest@shop.example", companyId: id, role: "reader" } as const;
  const link = await invite(database, new Date(), guest, operator("a test"));
  const cookie = (session: string) => ({ cookie: `cauri_console=${session}` });
  const sessions = [
    ...companyRoles.map((role) => things.people[role].sessionToken),
    (await signInOperator(db)).sessionToken,
    half,
  ];
  const pay = new URL(String(due.body.paymentUrl)).pathname;
  const fill = (path: string) =>
    path
      .replaceAll(/\{([\w-]+)\}/g, (_, kind: string) =>
        kind in things.ids ? things.ids[kind as keyof typeof things.ids] : kind,
      )
      .replace("/deliveries/1", `/deliveries/${belongings["deliveries"]?.[0] ?? ""}`);

  const visits: Visit[] = [];
  for (const page of consolePages.filter(({ method }) => method === "GET")) {
    const query = { ...page.fields, ...mapValues(page.ids, (kind) => things.ids[kind]) };
    const url = `${fill(page.path)}?${new URLSearchParams(query).toString()}`;
    for (const session of sessions)
      for (const more of ["", "&lang=en&again=1"])
        visits.push({ url: `${url}${more}`, headers: cookie(session) });
  }
  for (const session of sessions)
    for (const path of ["/console/login", "/console/login/code", `/console/join/${link.token}`])
      visits.push({ url: `${path}?again=1&left=1&lang=en`, headers: cookie(session) });
  const bearer = { authorization: `Bearer ${token}` };
  for (const path of await apiPathsOf(service)) {
    const [, kind = ""] = /\/([^/]+)\/\{\w+\}/.exec(path) ?? [];
    const named = belongings[kind]?.[0] ?? "";
    visits.push({ url: `${path.replace(/\{\w+\}/, named)}${queryOf(path)}`, headers: bearer });
  }
  const walletCookie = { cookie: `cauri_wallet=${wallet}; cauri_browser=${"b".repeat(43)}` };
  for (const path of [...otherPaths, ...payPaths.map((one) => `${pay}${one}`)])
    for (const headers of [{}, walletCookie]) visits.push({ url: `${path}?lang=en`, headers });

  // Everything else that there is, whatever it answers.
  for (const pattern of patternsOf(service))
    for (const session of [things.people.owner.sessionToken, half])
      visits.push({
        url: pattern.replaceAll(/:\w+/g, "x"),
        headers: { ...bearer, ...cookie(session) },
      });

  const before = await readTables();
  const seen: Visited[] = [];
  for (const visit of visits) {
    const { statusCode } = await service.app.inject({ method: "GET", ...visit });
    seen.push({ path: visit.url.split("?", 1)[0] ?? "", status: statusCode });
  }
  const after = await readTables();

  expect(seen.filter(({ status }) => status >= 500)).toEqual([]);
  for (const [name, rows] of Object.entries(after))
    expect([name, rows]).toEqual([name, before[name]]);
  // Not only refusals were looked at: each page of the console was there for somebody.
  const pages = consolePages
    .filter(({ method, path }) => method === "GET" && !path.endsWith("/logo"))
    .map(({ path }) => fill(path));
  const shown = new Set(seen.filter(({ status }) => status === 200).map(({ path }) => path));
  expect(pages.filter((path) => !shown.has(path))).toEqual([]);

  async function readTables() {
    const all = { ...(await contentsOf(db, mayChange)) };
    for (const name of counts) delete all[name];
    return all;
  }
});

interface Visited {
  readonly path: string;
  readonly status: number;
}

const otherPaths = [
  "/",
  "/guide",
  "/verify",
  "/docs",
  "/docs/guides",
  "/docs/guides/payroll",
  "/wallet",
  "/wallet/code",
  "/wallet/confirm",
  "/wallet/change",
  "/wallet/leave",
  "/healthz",
  "/readyz",
  "/metrics",
  "/openapi.json",
];
const payPaths = ["", "/logo", "/code", "/confirm", "/cancel", "/change"];

async function apiPathsOf(service: TestService): Promise<string[]> {
  const { body } = await service.call("GET", "/openapi.json");
  const paths = Object.entries(body.paths as Readonly<Record<string, object>>);
  return paths.filter(([, operations]) => "get" in operations).map(([path]) => path);
}

/** What an operation cannot be asked without. */
function queryOf(path: string): string {
  if (path.includes("customers")) return `?msisdn=${phone}&amount=5000`;
  return path.endsWith("/events") ? "?after=0&wait=0" : "";
}

/** Every address that the router knows for GET, also to refuse it; files of the pages are left out. */
function patternsOf({ app }: TestService): string[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const [, indent = "", part = "", methods = ""] =
        /^([\s│]*)[├└]── (\S+)(?: \((.*)\))?/.exec(line) ?? [];
      above.splice(indent.length / 4, above.length, part);
      const path = above.join("");
      return /\bGET\b/.test(methods) && !/\*|\/assets\//.test(path) ? [path] : [];
    });
}

function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
