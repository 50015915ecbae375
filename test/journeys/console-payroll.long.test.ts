import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { approvalsWords } from "../../src/console/words/approvals.ts";
import { payrollWords } from "../../src/console/words/payroll.ts";
import { statementWords } from "../../src/console/words/statements.ts";
import { setWalletFrozen } from "../../src/customers/keep-book.ts";
import { sql } from "../../src/database/sql.ts";
import type { Language } from "../../src/kernel/language.ts";
import { operator } from "../../src/trail/actor.ts";
import { giveAuthenticator } from "../authenticator.ts";
import { useBrowser } from "../browser.ts";
import { keepSignedIn, signIn } from "../console.ts";
import {
  auditDifferences,
  makeCompany,
  makeCustomer,
  type TestDatabase,
  type TestService,
  test,
} from "../fixtures.ts";

const open = useBrowser();
const people = 300;
const funded = 10_000_000;
/** The number of the person of a row, counted from 0, as it is written in the file. */
const phoneOf = (index: number) => `77 ${1_000_000 + index}`;
const amountOf = (index: number) => 5_000 + 25 * index;
const spaced = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

/** Rows as they come by mistake: which field is wrong, and how. */
const mistakes: readonly (readonly [row: number, field: "phone" | "amount", text: string])[] = [
  [3, "phone", "2,21771E+11"],
  [40, "amount", "25.000"],
  [77, "phone", "77 12"],
  [120, "amount", "cinq mille"],
  [180, "phone", "77 999 99 99"],
  [240, "amount", "0"],
  [299, "amount", "-5000"],
];

function payrollFile(): string {
  const rows = Array.from({ length: people }, (_, index) => {
    const [, field, text = ""] = mistakes.find(([row]) => row === index) ?? [];
    const phone = field === "phone" ? text : phoneOf(index);
    return `${phone};${field === "amount" ? text : amountOf(index)};juin-${index};Salaire de juin`;
  });
  return ["telephone;montant;reference;motif", ...rows, ""].join("\r\n");
}

/** Headings are the file's first line. */
const lineOf = (row: number) => row + 2;
const total = Array.from({ length: people }, (_, index) => amountOf(index)).reduce(
  (sum, amount) => sum + amount,
);
const inFrancs = (francs: number, language: Language) =>
  spaced(francs.toLocaleString(language === "fr" ? "fr-FR" : "en-GB"));

/** From a file to a statement that adds up, by two people at two browsers. */
async function pay(
  { db, service }: { readonly db: TestDatabase; readonly service: TestService },
  language: Language,
  look: { readonly javaScriptEnabled: boolean; readonly width: number },
): Promise<void> {
  const company = await makeCompany(db.database, { fund: funded });
  for (let index = 0; index < people; index += 1)
    await makeCustomer(db.database, `22177${1_000_000 + index}`);
  const words = payrollWords[language];
  const decide = approvalsWords[language];
  const browser = {
    javaScriptEnabled: look.javaScriptEnabled,
    locale: language === "fr" ? "fr-SN" : "en-GB",
    viewport: { width: look.width, height: 800 },
  };
  // Both might approve what others prepare.
  const [maker, checker] = [
    await signIn(db, company.id, "owner"),
    await signIn(db, company.id, "owner"),
  ];
  const [makersCode, checkersCode] = [
    await giveAuthenticator(db.database, maker),
    await giveAuthenticator(db.database, checker),
  ];
  const page = await open(browser);
  await keepSignedIn(page.context(), service.url, maker);
  const other = await open(browser);
  await keepSignedIn(other.context(), service.url, checker);
  const press = (on: Page, name: string | RegExp) => on.getByRole("button", { name }).click();
  const says = (on: Page, text: string) => on.getByText(text, { exact: false }).first().waitFor();
  const read = async (on: Page) => spaced((await on.textContent("main")) ?? "");

  // A file with seven mistakes, mended in the page.
  await page.goto(`${service.url}/console/payroll`);
  await page.getByLabel(words.file).setInputFiles({
    name: "juin.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(payrollFile()),
  });
  await press(page, words.send);
  await says(page, words.summary(people - mistakes.length, mistakes.length));
  expect(await page.locator("fieldset.mend").count()).toBe(mistakes.length);
  expect(await read(page)).not.toContain(words.grandTotal);
  for (const [row, field] of mistakes) {
    const wrong = page.locator(`#${field}-${lineOf(row)}`);
    expect(await wrong.getAttribute("aria-invalid")).toBe("true");
    await wrong.fill(field === "phone" ? phoneOf(row) : String(amountOf(row)));
  }
  await press(page, words.save);
  await says(page, words.summary(people, 0));
  expect(await read(page)).toContain(inFrancs(total, language));
  await press(page, new RegExp(`^${words.submit("").trim()}`));
  await says(page, words.submitted);

  // Whoever prepared it is told so, and is refused with a good code of their own.
  await page.getByRole("link", { name: words.seeApproval }).click();
  await says(page, decide.notYours);
  expect(await page.getByLabel(decide.code).count()).toBe(0);
  const firstAddress = new URL(page.url()).pathname;
  const hash = (await page.locator("code").first().textContent()) ?? "";
  const own = await page.request.post(`${service.url}${firstAddress}/approve`, {
    form: { token: maker.formToken, hash, code: await makersCode() },
    headers: { origin: service.url },
  });
  expect(own.url()).toBe(service.url + firstAddress);
  await page.reload();
  await says(page, decide.notYours);

  // The other looks at it; one franc is changed meanwhile, and what was looked at is no longer to be had.
  await other.goto(service.url + firstAddress);
  await other.getByLabel(decide.code).first().waitFor();
  await page.getByRole("link", { name: words.progress }).click();
  await press(page, words.withdraw);
  await says(page, words.withdrawn);
  await page.getByRole("link", { name: words.change }).click();
  await page.getByLabel(words.rowToChange).fill(String(lineOf(0)));
  await press(page, words.showRow);
  await page.locator(`#amount-${lineOf(0)}`).fill(String(amountOf(0) + 1));
  await press(page, words.save);
  await press(page, new RegExp(`^${words.submit("").trim()}`));
  await says(page, words.submitted);
  const run = page.url();
  await other
    .getByLabel(decide.code)
    .first()
    .fill(await checkersCode());
  await press(other, /^(?:Approuver|Approve)/);
  expect(await read(other)).toContain(decide.states.withdrawn);
  expect(
    await db.database.query(sql`select 1 from transfers where company_id = ${company.id}`),
  ).toEqual([]);

  // Asked again for exactly this, the other approves it with the code of this moment. The wallet of one of them was frozen meanwhile.
  await setWalletFrozen(db.database, "221771000007", true, operator("a test"));
  await other.goto(`${service.url}/console/approvals`);
  await other.getByRole("table", { name: decide.waiting }).getByRole("link").click();
  const shown = await read(other);
  expect(shown).toContain(inFrancs(total + 1, language));
  await other.getByLabel(decide.code).first().fill("000000");
  await press(other, /^(?:Approuver|Approve)/);
  await other
    .getByLabel(decide.code)
    .first()
    .fill(await checkersCode());
  await press(other, /^(?:Approuver|Approve)/);
  await says(other, decide.approved);
  expect(new URL(other.url()).pathname).toBe(new URL(run).pathname);

  // The page of the run goes on by itself until everything is told.
  await page.goto(run);
  await page.getByText(words.progressText(people, people)).waitFor();
  await page.getByRole("button", { name: words.retry(1) }).waitFor();
  expect(await page.locator("progress").getAttribute("value")).toBe(String(people));
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: words.outcome }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("resultat-juin.csv");
  const outcome = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n").slice(1);
  expect(outcome).toHaveLength(people);
  expect(outcome.filter((row) => row.includes(";completed;;"))).toHaveLength(people - 1);
  expect(outcome[7]).toContain(";failed;");
  expect(outcome[0]).toContain(`;${amountOf(0) + 1};juin-0;`);

  const after = funded - (total + 1) + amountOf(7);
  await addUp(page, service, language, after);
  expect(await auditDifferences(db.database)).toEqual([]);
}

/** Reads the whole statement, page after page: each line's balance follows from the one before. */
async function addUp(
  page: Page,
  service: TestService,
  language: Language,
  closing: number,
): Promise<void> {
  const words = statementWords[language];
  const number = (text: string) =>
    Number(text.replaceAll(/[\u2212–]/g, "-").replaceAll(/[^\d-]/g, ""));
  await page.goto(`${service.url}/console/statements`);
  const figures = await page.locator(".figure .large").allTextContents();
  expect(number(figures[1] ?? "")).toBe(closing);
  let balance = number(figures[0] ?? "");
  let lines = 0;
  for (;;) {
    const cells = (title: string) => page.locator(`td[data-title="${title}"]`).allTextContents();
    const balances = await cells(words.columns.balance);
    const amounts = (await cells(words.columns.amount)).slice(-balances.length);
    for (const [place, text] of balances.entries()) {
      balance += number(amounts[place] ?? "");
      expect(number(text)).toBe(balance);
    }
    lines += balances.length;
    const next = page.getByRole("link", { name: words.later, exact: true });
    if ((await next.count()) === 0) break;
    await next.click();
  }
  expect(balance).toBe(closing);
  // The funds, everybody's salary, and the one that came back.
  expect(lines).toBe(1 + people + 1);
}

test("a payroll of 300 rows with script, in French, on a laptop", async ({ db, service }) => {
  await pay({ db, service }, "fr", { javaScriptEnabled: true, width: 1_280 });
});

test("a payroll of 300 rows without script, in English, on a small phone", async ({
  db,
  service,
}) => {
  await pay({ db, service }, "en", { javaScriptEnabled: false, width: 320 });
});
