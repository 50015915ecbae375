import { toVisible } from "../../../kernel/visible.ts";
import { writeRetryDraft } from "../../../payouts/retry-draft.ts";
import { commandFor } from "../../command-for.ts";
import type { Outcome } from "../../context.ts";
import { counted } from "../../counted.ts";
import { besides, readable, writeNewFile } from "../../files.ts";
import { type ClientOptions, findClient } from "../../read-client.ts";

export interface RetryOptions extends ClientOptions {
  readonly output?: string;
}

export async function retryPayoutsCommand(file: string, options: RetryOptions): Promise<Outcome> {
  const { output = besides(file, "-retry.csv") } = options;
  // Nothing is asked of the service here; the login is for the command that comes next.
  const client = await findClient(process.env, options);
  const check = commandFor(client, "payout", "import", output, "--dry-run");
  await readable(file);
  const { failedCount, openCount, leftOutCount, reasons } = await writeRetryDraft(file, (pieces) =>
    writeNewFile(output, pieces),
  );
  return {
    value: {
      file: failedCount === 0 ? null : output,
      failed: failedCount,
      open: openCount,
      leftOut: leftOutCount,
      reasons,
    },
    text: [
      failedCount === 0
        ? `No row of ${file} has failed. Nothing was written.`
        : `${counted(failedCount, "row", "has failed and stands", "have failed and stand")} in ${output}, with new references:`,
      ...Object.entries(reasons).map(([reason, count]) => `  ${count}  ${toVisible(reason)}`),
      ...(openCount === 0
        ? []
        : [`Pending or not sent: ${openCount}. Import the first file again for those.`]),
      ...(leftOutCount === 0
        ? []
        : [
            `Left out, each for the reason beside it: ${leftOutCount}. Put those, mended, into a new file of their own.`,
          ]),
      ...(failedCount === 0 ? [] : [`Correct it, then: ${check}`]),
    ].join("\n"),
  };
}
