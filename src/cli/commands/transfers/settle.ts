import { type Cauri, NotSettledError, type Transaction } from "@cauri/sdk";

export interface WaitOptions {
  readonly wait?: boolean;
  /** Seconds. */
  readonly timeout: number;
}

/** The transfer when it has ended, or as it was last seen when the time was over: never a guess. */
export async function settle(
  cauri: Cauri,
  transfer: Transaction,
  { wait, timeout }: WaitOptions,
): Promise<{ readonly transfer: Transaction; readonly isWaitOver: boolean }> {
  if (wait !== true || transfer.status !== "pending") return { transfer, isWaitOver: false };
  try {
    const ended = await cauri.transfers.waitUntilSettled(transfer.id, {
      timeoutMs: timeout * 1_000,
    });
    return { transfer: ended, isWaitOver: false };
  } catch (error) {
    if (!(error instanceof NotSettledError)) throw error;
    return { transfer: (error.last as Transaction | undefined) ?? transfer, isWaitOver: true };
  }
}
