import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { importCustomers, reviewImport } from "../../../customers/import-customers.ts";
import { readCustomers } from "../../../customers/read-customers.ts";
import { toVisible } from "../../../kernel/visible.ts";
import { operator } from "../../../trail/actor.ts";
import { confirm } from "../../confirm.ts";
import type { Context, Outcome } from "../../context.ts";
import { readable } from "../../files.ts";
import { Progress } from "../../progress.ts";

export interface ImportCustomersOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** One wrong row and nothing is changed: a book that is half of a file is nobody's. */
export async function importCustomersCommand(
  { database }: Context,
  file: string,
  options: ImportCustomersOptions,
): Promise<Outcome> {
  await readable(file);
  const { rows, problems: misread } = await readCustomers(createReadStream(file), basename(file));
  const { problems: undecided, ...review } = await reviewImport(database, rows);
  const problems = [...misread, ...undecided].toSorted((one, other) => one.line - other.line);
  const counts = `${review.added} new, ${review.changed} changed, ${review.unchanged} as they are`;
  const value = { file, ...review, problems, done: false };
  if (problems.length > 0)
    return {
      value,
      text: [
        ...problems.map(({ line, message }) => toVisible(`line ${line}: ${message}`)),
        "",
        `${problems.length} problems (of the others: ${counts}). Nothing was changed.`,
      ].join("\n"),
      exitCode: 1,
    };
  if (options.dryRun === true) return { value, text: `${counts}. Nothing was changed.` };
  await confirm(`${counts}: write this into the customer book?`, options);
  const progress = new Progress(rows.length, "people");
  for await (const done of importCustomers(database, rows, operator("customer import")))
    progress.show(done);
  return { value: { ...value, done: true }, text: `${counts}.` };
}
