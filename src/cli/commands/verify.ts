import { readWitness } from "../../statements/verify/read-witness.ts";
import { type Verification, verifyFile } from "../../statements/verify/verify-file.ts";
import type { Outcome } from "../context.ts";
import { readable } from "../files.ts";
import { toFrancs } from "../table.ts";

export interface VerifyOptions {
  readonly seals?: string;
  readonly key?: string;
}

/** Needs neither a database nor a connection. Exit code 1 when the file is not as it was exported. */
export async function verifyCommand(file: string, options: VerifyOptions): Promise<Outcome> {
  for (const path of [file, options.seals, options.key])
    if (path !== undefined) await readable(path);
  const found = await verifyFile(file, await readWitness(options));
  const { problem, facts } = found;
  if (problem !== undefined)
    return {
      value: { verified: false, ...found },
      text: `NOT VERIFIED. ${problem.message}`,
      exitCode: 1,
    };
  return {
    value: { verified: true, ...found },
    text: [
      `VERIFIED: ${found.lines} lines of ${facts?.companyName} (${facts?.company}), ${toFrancs(facts?.opening ?? 0)} at the opening, ${toFrancs(facts?.closing ?? 0)} at the closing.`,
      `Verification code: ${found.code}`,
      chainText(found),
      `Signed with the key ${found.keyId}${options.key === undefined ? ", which the file itself names: compare it with the operator's /.well-known/cauri-ledger.json, or give that with --key" : ", one of the operator's"}.`,
    ].join("\n"),
  };
}

function chainText({ isChained, seals, witnesses }: Verification): string {
  return isChained
    ? `The lines make the ledger's chain, through ${seals} of its seals and ${witnesses} that were kept.`
    : "The lines are not linked to the ledger's chain: they are a sub-company's, or older than it. Only the signature holds them.";
}
