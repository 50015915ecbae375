import { setTimeout as sleep } from "node:timers/promises";
import { invite } from "../src/access/links.ts";
import { createCompany } from "../src/companies/create-company.ts";
import { addCustomer } from "../src/customers/keep-book.ts";
import { sql } from "../src/database/sql.ts";
import { operator } from "../src/trail/actor.ts";
import { makeCollectionStates } from "./collection-states.ts";
import {
  type ConsoleStage,
  formOpener,
  hiddenIn,
  readPage,
  type Seat,
  sendForm,
  takeSeat,
} from "./console-seats.ts";
import { makeDeveloperStates } from "./developer-states.ts";
import { makeHeldStates } from "./held-states.ts";
import { makeOperatorStates } from "./operator-states.ts";
import { opener, type PageState } from "./page-states.ts";
import { makePasskeyStates } from "./passkey-states.ts";
import { api } from "./stage.ts";

const salaries = 12;
const triesMax = 1_500;
const approvalOf = (run: string) => run.replace("/payroll/", "/approvals/");
const phoneOf = (index: number) => `77 ${1_000_000 + index}`;

/** A payroll as it comes from a spreadsheet; `mistakes` stand where the rows of the same place would. */
function fileOf(month: string, mistakes: readonly string[] = []): string {
  const rows = Array.from(
    { length: salaries },
    (_, index) =>
      mistakes[index] ??
      `${phoneOf(index)};${12_500 + 250 * index};${month}-${index + 1};Salaire de ${month}`,
  );
  return ["telephone;montant;reference;motif", ...rows, ""].join("\n");
}

/** Every screen of the console, as the person sees it who may open it. */
export async function makeConsoleStates(stage: ConsoleStage): Promise<PageState[]> {
  const { database, companyId } = stage;
  for (let index = 0; index < salaries; index += 1) await addEmployee(stage, index);
  const { token } = await invite(
    database,
    new Date(),
    { email: "fatou@teranga.example", companyId, role: "reader" },
    operator("cauri staff invite"),
  );
  const owner = await takeSeat(stage, "awa@teranga.example", "owner");
  const at = (path: string, seat: Seat = owner) => opener(stage, path, seat.cookies);
  const newcomer = await takeSeat(await openShop(stage), "koffi@neuve.example", "owner");
  const preparer = await takeSeat(stage, "moussa@teranga.example", "preparer");
  const reader = await takeSeat(stage, "ibrahima@teranga.example", "reader");
  const failed = await sendToNobody(stage);
  const paid = await handIn(stage, preparer, "mai");
  // One of them has no account on that day.
  await database.query(sql`delete from wallets where msisdn = '221771000007'`);
  await database.query(sql`delete from customers where msisdn = '221771000007'`);
  await approve(stage, owner, approvalOf(paid));
  await addEmployee(stage, 7);
  const mistakes = ["2,21771E+11;12500;a;", "77 1000001;25.000;b;Prime", "77 12;zéro;c;"];
  const bad = await upload(stage, preparer, "juin", mistakes);
  const good = await upload(stage, preparer, "juillet", []);
  const waiting = await handIn(stage, preparer, "septembre");
  const keys = await readPage(stage, owner, "/console/developers");
  const key = /\/console\/developers\/keys\/\w+/.exec(keys)?.[0] ?? "/console/developers";
  const team = await readPage(stage, owner, "/console/team");
  const member = /\/console\/team\/people\/[\w-]+/.exec(team)?.[0] ?? "/console/team";
  const collections = await makeCollectionStates(stage, { owner, preparer, newcomer });
  const held = await makeHeldStates(stage, { owner, preparer, newcomer });
  return [
    { name: "console-login", open: opener(stage, "/console/login") },
    { name: "console-join", open: opener(stage, `/console/join/${token}`) },
    { name: "console-home", open: at("/console") },
    { name: "console-companies", open: at("/console/companies") },
    { name: "console-transfers", open: at("/console/transfers") },
    { name: "console-transfers-none", open: at("/console/transfers?min=900000") },
    { name: "console-transfer-failed", open: at(failed) },
    { name: "console-transfer-new", open: at("/console/transfers/new") },
    { name: "console-transfer-review", isAnswer: true, open: reviewTransfer(stage, owner) },
    { name: "console-payroll", open: at("/console/payroll", preparer) },
    { name: "console-payroll-draft", open: at(bad, preparer) },
    { name: "console-payroll-review", open: at(good, preparer) },
    { name: "console-payroll-row", open: at(`${good}?line=3`, preparer) },
    { name: "console-payroll-waiting", open: at(waiting, preparer) },
    { name: "console-payroll-run", open: at(paid, preparer) },
    { name: "console-approvals", open: at("/console/approvals") },
    { name: "console-approval", open: at(approvalOf(waiting)) },
    { name: "console-approval-own", open: at(approvalOf(waiting), preparer) },
    { name: "console-approval-done", open: at(approvalOf(paid)) },
    ...held,
    ...collections,
    { name: "console-sub-companies", open: at("/console/sub-companies") },
    { name: "console-sub-company", open: at(`/console/sub-companies/${stage.subCompanyId}`) },
    { name: "console-statements", open: at("/console/statements") },
    { name: "console-statements-empty", open: at("/console/statements?month=2026-01") },
    { name: "console-keys", open: at("/console/developers") },
    { name: "console-key", open: at(key) },
    ...(await makeDeveloperStates(stage, owner, newcomer)),
    { name: "console-team", open: at("/console/team") },
    { name: "console-member", open: at(member) },
    { name: "console-account", open: at("/console/team/account") },
    ...(await makePasskeyStates(stage, approvalOf(waiting))),
    { name: "console-trail", open: at("/console/trail") },
    { name: "console-home-empty", open: at("/console", newcomer) },
    { name: "console-transfers-empty", open: at("/console/transfers", newcomer) },
    { name: "console-payroll-empty", open: at("/console/payroll", newcomer) },
    { name: "console-approvals-empty", open: at("/console/approvals", newcomer) },
    { name: "console-may-not", open: at("/console/payroll", reader) },
    { name: "console-not-found", open: at("/console/nothing") },
    ...(await makeOperatorStates(stage)),
  ];
}

async function addEmployee({ database }: ConsoleStage, index: number): Promise<void> {
  await addCustomer(database, {
    msisdn: `22177${1_000_000 + index}`,
    firstName: "Aminata",
    lastName: "Ndiaye",
    kycStatus: index === 4 ? "pending" : "complete",
    balanceMax: null,
  });
}

/** A company on its first day. */
async function openShop(stage: ConsoleStage): Promise<ConsoleStage> {
  const about = { name: "Boutique neuve", fund: 0 };
  const { company } = await createCompany(stage.database, stage.box, about);
  return { ...stage, companyId: company.id };
}

/** A transfer that came back, and the path of its page. */
async function sendToNobody(stage: ConsoleStage): Promise<string> {
  const { id } = await api(stage, "/v1/transactions", {
    type: "transfer",
    amount: 60_000,
    msisdn: "2250733333333",
    reference: "Salaire de mai, Ibrahima",
    description: "Salaire de mai",
  });
  for (let tries = 0; tries < triesMax; tries += 1) {
    const left = await stage.database.query(sql`select 1 from pending_transfers limit 1`);
    if (left.length === 0) return `/console/transfers/${String(id)}`;
    await sleep(20);
  }
  throw new Error("the transfer never ended");
}

/** The path of a draft of this file. */
function upload(
  stage: ConsoleStage,
  seat: Seat,
  month: string,
  mistakes: readonly string[],
): Promise<string> {
  const body = new FormData();
  const file = new Blob([fileOf(month, mistakes)], { type: "text/csv" });
  body.append("file", file, `salaires-${month}.csv`);
  return sendForm(stage, seat, "/console/payroll/upload", body);
}

/** The path of a payroll that waits for another person. */
async function handIn(stage: ConsoleStage, seat: Seat, month: string): Promise<string> {
  const draft = await upload(stage, seat, month, []);
  const fields = hiddenIn(await readPage(stage, seat, draft), "version", "price", "form");
  const run = await sendForm(stage, seat, `${draft}/submit`, new URLSearchParams(fields));
  if (!run.startsWith("/console/payroll/prop_"))
    throw new Error(`the payroll of ${month} was not taken`);
  return run;
}

async function approve(stage: ConsoleStage, seat: Seat, approval: string): Promise<void> {
  const fields = hiddenIn(await readPage(stage, seat, approval), "hash");
  const body = new URLSearchParams({ ...fields, code: await seat.code() });
  const run = await sendForm(stage, seat, `${approval}/approve`, body);
  for (let tries = 0; tries < triesMax; tries += 1) {
    if ((await readPage(stage, seat, run)).includes(`${salaries} / ${salaries}`)) return;
    await sleep(50);
  }
  throw new Error("the payroll was never paid");
}

/** What a transfer comes to, seen by the one who typed it. */
function reviewTransfer(stage: ConsoleStage, seat: Seat): PageState["open"] {
  return async (page, lang) => {
    await formOpener(stage, "/console/transfers/new", seat)(page, lang);
    await page.locator("#phone").fill(`+${stage.people.rich}`);
    await page.locator("#amount").fill("45 000");
    await page.locator("#description").fill("Acompte sur la commande 417");
    await page.locator("main form button").first().click();
    await page.locator("main .facts").waitFor();
  };
}
