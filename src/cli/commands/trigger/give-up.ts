import { CallFailed } from "../../errors.ts";

const timeoutMs = 15_000;

/**
 * Does what the payer's browser does for "Cancel" on the payment page, because the API has no call for it: a business does not
 * give up in a payer's place. It goes to the address that the command was told, whatever the service says of its own, and
 * without the token.
 */
export async function giveUp(paymentUrl: string, serviceUrl: string): Promise<void> {
  const page = /\/pay\/[\w.~-]+$/.exec(paymentUrl)?.[0] ?? "/pay";
  let status: number;
  try {
    const answer = await fetch(`${serviceUrl}${page}/cancel`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "",
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    ({ status } = answer);
    await answer.body?.cancel();
  } catch (error) {
    throw notTold(paymentUrl, serviceUrl, "no answer came", error);
  }
  // Back to the page, which says that it is over.
  if (status !== 303) throw notTold(paymentUrl, serviceUrl, `it answered ${status}`);
}

function notTold(paymentUrl: string, serviceUrl: string, why: string, cause?: unknown): CallFailed {
  return new CallFailed(
    `The charge was made, and its payment page at ${serviceUrl} could not be told that the payer gives up: ${why}. Unpaid, it is dropped by itself when its time is over. To drop it now, open its paymentUrl and cancel there.`,
    { code: "page_not_reached", facts: { paymentUrl }, cause },
  );
}
