import type { Delivery } from "@cauri/sdk";

type Reason = NonNullable<Delivery["waitingFor"]>;

const reasons: Readonly<Record<Reason, string>> = {
  retry: "the pause after its last attempt",
  circuit_breaker: "its address, which failed ten times in a row and is probed with one request",
  new_address:
    "its address to answer 2xx for the first time; until then it gets four requests a minute",
  earlier_event: "an earlier event of the same object",
};

/** What a delivery waits for, in words. A reason of a later release is told as the service names it. */
export function describeWaiting(waitingFor: Reason): string {
  return reasons[waitingFor] ?? waitingFor;
}
