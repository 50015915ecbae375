import { csvWriter } from "../../spreadsheets/write-csv.ts";
import { cellsFor, headerFor } from "../../statements/export/present.ts";
import { fileAt } from "../../statements/verify/file-source.ts";
import { openExport } from "../../statements/verify/open-export.ts";
import { readWitness } from "../../statements/verify/read-witness.ts";
import { findLayout, foundRows } from "../../statements/verify/row-layout.ts";
import { type Verification, verifyFile } from "../../statements/verify/verify-file.ts";
import type { Outcome } from "../context.ts";
import { absent, readable, writeNewFile } from "../files.ts";
import { toFrancs } from "../table.ts";

export interface VerifyOptions {
  readonly seals?: string;
  readonly key?: string;
  readonly rows?: string;
}

/** The file agrees with itself, and nothing that the reader brought says whose it is. */
const notAuthenticated = 5;
/** Of a file of an earlier release: its rows are the operator's, and how the file looks was never signed. */
const rowsOnly = 6;

/**
 * Needs neither a database nor a connection. Exit code 0 only when every byte is signed with a key that the reader brought; 1 when
 * the file is not as it was exported.
 */
export async function verifyCommand(file: string, options: VerifyOptions): Promise<Outcome> {
  for (const path of [file, options.seals, options.key])
    if (path !== undefined) await readable(path);
  if (options.rows !== undefined) await absent(options.rows);
  const found = await verifyFile(file, await readWitness(options));
  const { problem, isAuthenticated, ...rest } = found;
  const why = problem === undefined && !isAuthenticated ? whyNot(found, options) : null;
  const consistent = problem === undefined;
  const authenticated = consistent && isAuthenticated;
  const verified = authenticated && found.signed === "file";
  const value = {
    verified,
    consistent,
    authenticated,
    problem: problem ?? null,
    why,
    ...rest,
  };
  if (!consistent) return { value, text: `NOT VERIFIED. ${problem.message}`, exitCode: 1 };
  if (options.rows !== undefined) await writeRows(file, options.rows);
  const { facts, lines, code, keyId } = found;
  const authenticatedAs = verified ? "VERIFIED" : "ROWS VERIFIED, NOT WHAT THE FILE SHOWS";
  const text = [
    `${authenticated ? authenticatedAs : "CONSISTENT, NOT AUTHENTICATED"}: ${lines} lines of ${facts?.companyName} (${facts?.company}), ${toFrancs(facts?.opening ?? 0)} at the opening, ${toFrancs(facts?.closing ?? 0)} at the closing.`,
    `Verification code: ${code}`,
    whatWasSigned(found, options),
    chainText(found),
    why ?? `Signed with the key ${keyId}, one of the operator's that you brought.`,
  ].join("\n");
  if (!authenticated) return { value, text, exitCode: notAuthenticated };
  return verified ? { value, text } : { value, text, exitCode: rowsOnly };
}

function whatWasSigned({ format, signed }: Verification, { rows }: VerifyOptions): string {
  const name = format.toUpperCase();
  const written = rows === undefined ? "" : ` The rows are in ${rows}.`;
  if (signed === "file") return `The signature covers the whole ${name} file.${written}`;
  return `This ${name} file is of an earlier release, which signed its rows and not the file: what a program shows of it was not compared with them. ${
    rows === undefined
      ? "Write them to a file with --rows, or ask for a new export."
      : written.trim()
  }`;
}

/** What was verified, whatever the file shows. */
async function writeRows(file: string, output: string): Promise<void> {
  const opened = await openExport(await fileAt(file));
  const layout = await findLayout(opened);
  async function* cells() {
    for await (const { row } of foundRows(opened, layout))
      yield row === undefined ? [] : [cellsFor("program", row)];
  }
  await writeNewFile(output, csvWriter(headerFor("program"), cells(), "machine"));
}

/** What the reader brought, and why it does not say whose the file is. */
function whyNot({ keyId, witnesses, unapplied }: Verification, { seals }: VerifyOptions): string {
  if (seals === undefined || witnesses > 0)
    return `Signed with the key ${keyId}, which only the file itself names: anybody could have made and signed it. Get the operator's keys from /.well-known/cauri-ledger.json and give them with --key.`;
  const reasons = [
    [unapplied.ofOtherCompanies, "of other companies"],
    [unapplied.beforeTheFile, "of days before the file begins"],
    [unapplied.afterTheFile, "of days after the file ends"],
    [unapplied.notLinked, "of its days, but its lines are not linked to the ledger's chain"],
  ] as const;
  const told = reasons.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return `None of the seals in ${seals} applies: ${told.join(", ")}. So nothing that you kept holds this history. Give seals of the file's own days, or leave out --seals.`;
}

function chainText({ isChained, seals, witnesses }: Verification): string {
  return isChained
    ? `The lines make the ledger's chain, through ${seals} of its seals and ${witnesses} that were kept.`
    : "The lines are not linked to the ledger's chain: they are a sub-company's, or older than it. Only the signature holds them.";
}
