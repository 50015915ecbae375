import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as access from "../src/access/errors.ts";
import * as approvals from "../src/approvals/errors.ts";
import * as companies from "../src/companies/errors.ts";
import * as decisions from "../src/console/approvals/errors.ts";
import * as consoles from "../src/console/errors.ts";
import * as uploads from "../src/console/payroll/errors.ts";
import * as customers from "../src/customers/errors.ts";
import { toErrorBody } from "../src/http/error-response.ts";
import type { DomainError } from "../src/kernel/domain-error.ts";
import { inLanguage, type Language } from "../src/kernel/language.ts";
import { packageRoot } from "../src/kernel/root.ts";
import * as messages from "../src/messages/errors.ts";
import * as payrolls from "../src/payrolls/errors.ts";
import { apiErrors } from "../src/reference/api-errors.ts";
import * as spreadsheets from "../src/spreadsheets/errors.ts";
import * as trail from "../src/trail/errors.ts";
import * as webhooks from "../src/webhooks/errors.ts";

const nobodysPasskey = {
  person: { id: "", email: "" },
  credentialId: Buffer.alloc(0),
  challenge: "",
  counter: 0,
};
const ofTheApi: readonly DomainError[] = apiErrors.map(({ error }) => error);
const ofThePages: readonly DomainError[] = [
  new approvals.ProposalNotFound(),
  new approvals.OwnProposal(),
  new approvals.ProposalChanged(),
  new approvals.ProposalClosed("approved"),
  new approvals.ProposalExpired(),
  new approvals.OthersProposal(),
  new approvals.HeldChanged(),
  new approvals.HeldNotFound(),
  new approvals.OwnKey(),
  new approvals.CommentMissing(),
  new approvals.OfIntroducer("awa@boutique.example"),
  new trail.NotPermitted(),
  new access.OwnInvitation(),
  new access.MemberAlready("awa@boutique.example"),
  new access.WaitsAlready(),
  new access.RequestNotFound(),
  new access.RequestClosed(),
  new access.OwnRequest(),
  new access.RequestOfIntroducer("awa@boutique.example"),
  new access.NothingAskedFor(),
  new payrolls.DraftNotFound(),
  new payrolls.DraftChanged(),
  new payrolls.DraftClosed(),
  new payrolls.DraftNotReady(),
  new payrolls.TooManyDrafts(50),
  new payrolls.CorrectionsUnreadable(),
  new payrolls.FileNotRead(),
  new uploads.FileTooLarge(10 * 1024 * 1024),
  new uploads.TooManyUploads("company"),
  new decisions.WrongApprovalCode(),
  new decisions.WrongApprovalPasskey(),
  new decisions.CopiedPasskey(nobodysPasskey),
  new consoles.TooManyChallenges(60),
  new consoles.TooManyCodes(),
  new messages.MessageNotSent(),
  new messages.MessageOutcomeUnknown(),
  new companies.NoSigningKey(),
  new webhooks.ReplayNotFound(),
  new webhooks.ReplayUnderWay(),
  new webhooks.NewAddressesTooMany(),
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
    ...ofTheApi.map((error) => ({
      error,
      where: String(toErrorBody(error, "", "", "").statusCode),
    })),
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
