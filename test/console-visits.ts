import { expect } from "vitest";
import { toPublicId } from "../src/kernel/ids.ts";
import { holdByKey } from "../torture/api/hold-by-key.ts";
import { giveAuthenticator } from "./authenticator.ts";
import {
  ConsoleClient,
  type PageAnswer,
  type SignedIn,
  signIn,
  signInOperator,
} from "./console.ts";
import { sendFile } from "./console-files.ts";
import { type TestDatabase, type TestService, untilSettled } from "./fixtures.ts";
import { SoftAuthenticator } from "./soft-authenticator.ts";

/** Where a visit looks, for whoever watches what the database does meanwhile. */
type OnVisit = (path: string) => void;

const lists = [
  "/console",
  ...["balance", "volume", "success"].map((chart) => `/console/charts/${chart}.csv?days=90`),
  "/console/transfers",
  "/console/transfers?status=failed&min=5000&max=6000",
  "/console/transfers.csv?status=failed",
  "/console/transfers/new",
  "/console/collections",
  "/console/collections?status=due",
  "/console/collections?status=paid&min=5000&max=6000",
  "/console/collections.csv?status=dropped",
  "/console/collections/new",
  "/console/statements",
  "/console/statements/export.csv",
  "/console/payroll",
  "/console/approvals",
  "/console/approvals/held",
  "/console/sub-companies",
  "/console/team/changes",
  "/console/team/rules",
  "/console/developers",
  "/console/developers/signature",
  "/console/developers/requests",
  "/console/developers/requests?status=4&correlation=c-100",
  "/console/developers/requests?status=5",
  "/console/developers/webhooks",
  "/console/developers/deliveries",
  "/console/developers/deliveries?status=failed&topic=transactions/completed&from=2020-01-01&to=2999-01-01",
  "/console/team",
  "/console/team/account",
  "/console/trail",
  "/console/trail/export",
  "/console/companies",
];

const hidden = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? "";

/** Opens every page of the console for a company; prepares a payroll there, and has it approved, paid and told. */
export async function visitConsole(
  service: TestService,
  db: TestDatabase,
  companyId: string,
  msisdn: string,
  onVisit: OnVisit,
): Promise<void> {
  const preparer = await signIn(db, companyId, "preparer");
  const owner = await signIn(db, companyId, "owner");
  const code = await giveAuthenticator(db.database, owner);
  const [maker, checker] = [preparer, owner].map((who) => new ConsoleClient(service, who));
  const open = async (client: ConsoleClient | undefined, path: string): Promise<PageAnswer> => {
    onVisit(`GET ${path}`);
    const page = await client?.get(path);
    expect(page?.status, `${path}: ${page?.text.slice(0, 2_000)}`).toBe(200);
    return page as PageAnswer;
  };
  for (const path of lists) await open(checker, path);
  await visitPasskeys(service, owner, code, onVisit);
  const collected = `/console/collections?phone=${msisdn}`;
  await open(checker, `${collected}&status=paid`);
  const paid = (await open(checker, collected)).text;
  const [, charge = ""] = /href="(\/console\/collections\/[0-9a-f-]{36})/.exec(paid) ?? [];
  expect(charge, paid).not.toBe("");
  await open(checker, charge);
  const named = (await open(checker, "/console/sub-companies")).text;
  const [, subCompany = ""] = /href="(\/console\/sub-companies\/subco_\w+)"/.exec(named) ?? [];
  expect(subCompany, named).not.toBe("");
  await open(checker, subCompany);
  const newest = (await open(checker, "/console/transfers")).text;
  const [, transfer = ""] = /href="(\/console\/transfers\/txn_\w+)/.exec(newest) ?? [];
  expect(transfer, newest).not.toBe("");
  await open(checker, transfer);
  const [, older = ""] = /rel="next" href="([^"]*)"/.exec(newest) ?? [];
  expect(older, newest).not.toBe("");
  await open(checker, older.replaceAll("&amp;", "&"));

  await visitDeliveries(checker, open, onVisit);
  await visitHeld(db, companyId, msisdn, { checker, open, onVisit, code });

  onVisit("sending a payroll");
  const text = `telephone;montant;reference;motif\n+${msisdn};5000;console-${Date.now()};Paie\n`;
  const sent = await sendFile(service, preparer, "/console/payroll/upload", {
    name: "a.csv",
    text,
  });
  expect(sent.status, sent.text).toBe(303);
  const review = await open(maker, sent.location);
  const fields = ["version", "price", "form"].map((name) => [name, hidden(review.text, name)]);
  onVisit("handing in a payroll");
  const run = await maker?.post(`${sent.location}/submit`, Object.fromEntries(fields));
  expect(run?.status, `${review.text}\n${run?.text}`).toBe(303);
  const path = run?.location ?? "";
  const approval = path.replace("payroll", "approvals");
  const page = await open(checker, approval);
  await open(checker, `${approval}/content.txt`);
  onVisit("approving a payroll");
  await checker?.post(`${approval}/approve`, {
    hash: hidden(page.text, "hash"),
    code: await code(),
  });
  await expect
    .poll(async () => (await open(maker, path)).text, { timeout: 60_000 })
    .toContain("1 / 1");
  await untilSettled(db.database);
  await open(maker, `${path}/outcome.csv`);
  const operator = new ConsoleClient(service, await signInOperator(db));
  for (const address of operatorPages(toPublicId("com", companyId), companyId))
    await open(operator, address);
}

/** A passkey that is added, signs in, and is removed. */
async function visitPasskeys(
  service: TestService,
  owner: SignedIn,
  code: () => Promise<string>,
  onVisit: OnVisit,
): Promise<void> {
  const client = new ConsoleClient(service, owner);
  const path = "/console/team/account/passkeys";
  onVisit("adding a passkey");
  const granted = await client.post(path, { name: "Téléphone", code: await code() });
  const [, options = ""] = /data-options="([^"]*)"/.exec(granted.text) ?? [];
  const [, origin = ""] = /data-passkeys-at="([^"]*)"/.exec(granted.text) ?? [];
  const device = new SoftAuthenticator(origin);
  const made = device.create(JSON.parse(options.replaceAll("&quot;", '"')) as object);
  expect((await client.post(`${path}/create`, made)).status).toBe(303);
  const nobody = new ConsoleClient(service, undefined);
  onVisit("signing in with a passkey");
  const asked = await nobody.post("/console/login/passkey/challenge");
  const [cookie = ""] = /cauri_device=[\w-]+/.exec(String(asked.headers["set-cookie"])) ?? [];
  const browser = new ConsoleClient(service, undefined, { cookie });
  const signed = device.get(JSON.parse(asked.text) as object);
  expect((await browser.post("/console/login/passkey", signed)).status).toBe(303);
  onVisit("removing a passkey");
  const listed = (await client.get("/console/team/account")).text;
  const [, place = ""] = /href="([^"]*\/passkeys\/[0-9a-f-]{36})"/.exec(listed) ?? [];
  const proof = device.get(JSON.parse((await client.post(`${place}/challenge`)).text) as object);
  expect((await client.post(`${place}/remove`, proof)).status).toBe(303);
}

/** What operators see. (The webhook of a filled company has the company's own id.) */
function operatorPages(company: string, webhookId: string): readonly string[] {
  return [
    "",
    "/companies",
    "/companies?q=large",
    `/companies/${company}`,
    `/companies/${company}/freeze`,
    "/stuck",
    `/stuck/wake?company=${company}&queue=transfers`,
    "/endpoints",
    `/endpoints/${webhookId}`,
    "/banner",
  ].map((path) => `/console/operations${path}`);
}

/** A webhook, what was sent to it, and a day of that again. */
async function visitDeliveries(
  owner: ConsoleClient | undefined,
  open: (client: ConsoleClient | undefined, path: string) => Promise<PageAnswer>,
  onVisit: OnVisit,
): Promise<void> {
  const log = (await open(owner, "/console/developers/deliveries")).text;
  const [, delivery = "", webhook = ""] =
    /href="((\/console\/developers\/webhooks\/[\w-]+)\/deliveries\/\d+)/.exec(log) ?? [];
  expect(delivery, log).not.toBe("");
  await open(owner, delivery);
  const [, older = ""] = /rel="next" href="([^"]*)"/.exec(log) ?? [];
  expect(older, log).not.toBe("");
  await open(owner, older.replaceAll("&amp;", "&"));
  await open(owner, webhook);
  onVisit("asking for deliveries again");
  const today = new Date().toISOString().slice(0, 10);
  const asked = await owner?.post(`${webhook}/replay`, { since: today, until: today });
  expect(asked?.location).toContain("/replays/");
  const done = async () => (await open(owner, asked?.location ?? "")).text;
  await expect.poll(done, { timeout: 60_000 }).toContain("100 %");
}

/** What a key has sent and a person has to let go: the review, a batch by itself, the decision, and what the transfer says of it. */
async function visitHeld(
  { database }: TestDatabase,
  companyId: string,
  msisdn: string,
  {
    checker,
    open,
    onVisit,
    code,
  }: {
    readonly checker: ConsoleClient | undefined;
    readonly open: (client: ConsoleClient | undefined, path: string) => Promise<PageAnswer>;
    readonly onVisit: OnVisit;
    readonly code: () => Promise<string>;
  },
): Promise<void> {
  onVisit("holding a batch and a transfer");
  const held = "/console/approvals/held";
  await holdByKey(database, companyId, { msisdn, batch: { subCompanyId: null } });
  await holdByKey(database, companyId, { msisdn });
  const list = await open(checker, "/console/approvals");
  const [, batch = ""] = /href="[^"]*held\?(batch=bat_\w+)/.exec(list.text) ?? [];
  const [, one = ""] = /href="[^"]*held\?transaction=(txn_\w+)/.exec(list.text) ?? [];
  await open(checker, `${held}?${batch}`);
  await open(checker, `/console/transfers/${one}`);
  await open(checker, "/console/transfers?status=pending");
  await open(checker, `${held}/content.txt`);
  const page = await open(checker, held);
  const [hash, upto] = [hidden(page.text, "hash"), hidden(page.text, "upto")];
  onVisit("approving what was held");
  const done = await checker?.post(`${held}/approve`, { hash, upto, code: await code() });
  expect(done?.location, page.text).toBe("/console/approvals");
  await open(checker, `/console/transfers/${one}`);
  await open(checker, "/console/approvals");
}
