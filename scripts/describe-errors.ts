import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as charges from "../src/charges/errors.ts";
import * as companies from "../src/companies/errors.ts";
import * as customers from "../src/customers/errors.ts";
import * as database from "../src/database/errors.ts";
import { toErrorBody } from "../src/http/error-response.ts";
import * as http from "../src/http/errors.ts";
import * as idempotency from "../src/idempotency/errors.ts";
import type { DomainError } from "../src/kernel/domain-error.ts";
import * as kernel from "../src/kernel/errors.ts";
import { inLanguage, type Language } from "../src/kernel/language.ts";
import { packageRoot } from "../src/kernel/root.ts";
import * as ledger from "../src/ledger/errors.ts";
import * as messages from "../src/messages/errors.ts";
import * as quotas from "../src/quotas/errors.ts";
import * as spreadsheets from "../src/spreadsheets/errors.ts";
import * as statements from "../src/statements/errors.ts";
import * as transfers from "../src/transfers/errors.ts";
import * as webhooks from "../src/webhooks/errors.ts";

/** One of each error that callers of the API can get, in the order of the table. */
const ofTheApi: readonly DomainError[] = [
  http.InvalidRequest.field("amount", {
    en: "amount is text; it must be a whole number.",
    fr: "amount est du texte. Valeur attendue\u00a0: un nombre entier.",
  }),
  new http.UnknownParameter(["page"], ["limit", "cursor"]),
  new http.InvalidJson(),
  new http.MalformedRequest(),
  new kernel.InvalidCursor(),
  new idempotency.InvalidIdempotencyKey(),
  new charges.RefundExceedsPaid(5_000),
  new companies.Unauthenticated(),
  new ledger.InsufficientFunds({ needed: 50_500, available: 40_000 }),
  new charges.RefundNotCovered(),
  new companies.CompanyMismatch(),
  new ledger.CompanyFrozen(),
  new transfers.TransactionNotFound(),
  new transfers.BatchNotFound(),
  new charges.ChargeNotFound(),
  new companies.SubCompanyUnknown(),
  new companies.SubCompanyNotFound(),
  new webhooks.WebhookNotFound(),
  new webhooks.DeliveryNotFound(),
  new http.RouteNotFound(),
  new http.MethodNotAllowed(["GET", "HEAD"]),
  new http.RequestTimeout(),
  transfers.DuplicateReference.single("salary-7", "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6"),
  new charges.DuplicateExternalId("order-142", "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6"),
  new http.BodyTooLarge(),
  new http.BodyTooManyValues(),
  new http.UnsupportedMediaType(),
  new http.UnsupportedEncoding(),
  new http.ExpectationFailed(),
  new companies.SubCompanyInactive(),
  new companies.SubCompaniesUnusable([{ index: 0, problem: "sub_company_inactive" }]),
  new charges.ChargeNotPayable("dropped"),
  new charges.ChargeNotRefundable("due"),
  new customers.WalletFrozen(),
  new idempotency.IdempotencyKeyReused(),
  new webhooks.EventsUnknown(2_048, 1_024),
  new webhooks.EventsForgotten(512, 1_024),
  new webhooks.TooManyWebhooks(20),
  new companies.TooManySubCompanies(10_000),
  new charges.TooManyRefunds(100, 5_000),
  new webhooks.WebhookDisabled(),
  new http.RateLimited(50),
  new companies.TooManyFailedAuthentications(),
  new quotas.QuotaExceeded({ name: "customer_checks", max: 3_000 }, 12),
  new statements.ExportsTooMany(2),
  new webhooks.TooManyWaiting(10),
  new http.InternalError(),
  new kernel.Overloaded(),
  new http.BodiesTooMany(),
  new http.ShareUsedUp(),
  new http.ShuttingDown(),
  new companies.PriceChanged(),
  new statements.StatementNotReady(),
  new database.DatabaseUnavailable(),
  new database.DatabaseWaiting(),
  new database.OutcomeUnknown(),
];
const ofThePages: readonly DomainError[] = [
  new messages.MessageNotSent(),
  new messages.MessageOutcomeUnknown(),
];
const ofTheCommandLine: readonly DomainError[] = [
  new companies.CompanyNotFound("com_…"),
  new companies.KeyNotFound("key_…"),
  new companies.TooManyKeys(10),
  new customers.CustomerNotFound(),
  new customers.CustomerExists(),
  spreadsheets.UnreadableFile.broken("xl/workbook.xml"),
];

/** What the table was made from, so that a test can see that nothing is missing. */
export const describedErrors = [...ofTheApi, ...ofThePages, ...ofTheCommandLine];

/** The codes that callers of the API can get. */
export const apiErrorCodes = [...new Set(ofTheApi.map(({ code }) => code))];

interface Row {
  readonly error: DomainError;
  readonly where: string;
}

/** docs/errors.md with its table made anew from the errors themselves. */
export function describeErrors(document: string): string {
  const rows: Row[] = [
    ...ofTheApi.map((error) => ({ error, where: String(toErrorBody(error, "", "").statusCode) })),
    ...ofThePages.map((error) => ({ error, where: "pages only" })),
    ...ofTheCommandLine.map((error) => ({ error, where: "command line only" })),
  ];
  const codes = [...new Set(rows.map(({ error }) => error.code))];
  const lines = codes.map((code) => lineOf(rows.filter(({ error }) => error.code === code)));
  const table = ["| code | status | in English | en français |", "|---|---|---|---|", ...lines];
  return document.replace(
    /(<!-- made by npm run dump -->\n)[^]*?(?=<!-- end -->)/,
    (_, start: string) => `${start}${table.join("\n")}\n`,
  );
}

/** One code may come with several statuses and messages. */
function lineOf(rows: readonly Row[]): string {
  const [code] = rows.map(({ error }) => error.code);
  const places = [...new Set(rows.map(({ where }) => where))];
  const saidIn = (language: Language) =>
    rows
      .map(({ error, where }) => {
        const said = inLanguage(language, error.said).replaceAll("|", "\\|");
        return places.length > 1 ? `${where}: ${said}` : said;
      })
      .join("<br>");
  return `| \`${code}\` | ${places.join(", ")} | ${saidIn("en")} | ${saidIn("fr")} |`;
}

const path = join(packageRoot, "docs/errors.md");

export async function writeErrors(): Promise<void> {
  await writeFile(path, describeErrors(await readFile(path, "utf8")));
}
