import type { Language } from "../../../kernel/language.ts";
import { NoSuchTemplate } from "../../../payouts/errors.ts";
import { templateOf } from "../../../payouts/template.ts";
import { commandFor } from "../../command-for.ts";
import type { Outcome } from "../../context.ts";
import { writeNewFile } from "../../files.ts";
import { findClient } from "../../read-client.ts";

export interface TemplateOptions {
  readonly output: string;
  readonly language: Language;
}

const kinds = ["csv", "xlsx"] as const;

export async function templateCommand({ output, language }: TemplateOptions): Promise<Outcome> {
  const kind = kinds.find((one) => output.toLowerCase().endsWith(`.${one}`));
  if (kind === undefined) throw new NoSuchTemplate(output);
  await writeNewFile(output, templateOf(language, kind));
  const client = await findClient(process.env);
  const check = commandFor(client, "payout", "import", output, "--dry-run");
  return {
    value: { file: output, language },
    text: `${output}: fill it in, one row for each person, then: ${check}`,
  };
}
