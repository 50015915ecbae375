import { toVisible } from "../../../kernel/visible.ts";
import { writeRetryDraft } from "../../../payouts/retry-draft.ts";
import type { Outcome } from "../../context.ts";
import { besides, readable, writeNewFile } from "../../files.ts";

export interface RetryOptions {
  readonly output?: string;
}

export async function retryPayoutsCommand(
  file: string,
  { output = besides(file, "-retry.csv") }: RetryOptions,
): Promise<Outcome> {
  await readable(file);
  const { failedCount, openCount, leftOutCount, reasons } = await writeRetryDraft(file, (pieces) =>
    writeNewFile(output, pieces),
  );
  return {
    value: { file: output, failed: failedCount, open: openCount, leftOut: leftOutCount, reasons },
    text: [
      `${failedCount} rows have failed and stand in ${output}, with new references:`,
      ...Object.entries(reasons).map(([reason, count]) => `  ${count}  ${toVisible(reason)}`),
      ...(openCount === 0
        ? []
        : [
            `${openCount} more are pending or were not sent: import the first file again for those.`,
          ]),
      ...(leftOutCount === 0
        ? []
        : [
            `${leftOutCount} more were left out for the reason that stands with them: put them, mended, into a new file of their own.`,
          ]),
      `Correct it, then: cauri payout import ${output} --dry-run`,
    ].join("\n"),
  };
}
