import { createInterface } from "node:readline/promises";
import { toVisible } from "../kernel/visible.ts";
import { NotConfirmed } from "./errors.ts";

/** Above this a person is asked before money comes in or leaves: a digit too many is soon typed. */
export const askAbove = 1_000_000;

/** Asks a person before something is done that others will notice; --yes answers beforehand. Throws NotConfirmed. */
export async function confirm(
  question: string,
  options: { readonly yes?: boolean | undefined },
): Promise<void> {
  if (options.yes === true) return;
  if (!process.stdin.isTTY) throw new NotConfirmed("there is nobody to ask");
  // On standard error, because standard output is for the answer of the command.
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${toVisible(question)} [y/N] `);
    if (!/^(?:y|yes|o|oui)$/i.test(answer.trim())) throw new NotConfirmed("the answer was no");
  } finally {
    terminal.close();
  }
}
