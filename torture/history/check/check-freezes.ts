import type { Operation } from "../operation.ts";
import { answersOf, type Request } from "./requests.ts";

/** What was begun after a freeze was acknowledged, and answered before anybody began to lift it, was not accepted. */
export function checkFreezes(
  operations: readonly Operation[],
  requests: readonly Request[],
): string[] {
  const frozen = operations.filter(
    ({ act, outcome }) => act.kind === "freeze" && outcome.kind === "ok",
  );
  return frozen.flatMap(({ endedMs }) => {
    const lifts = operations.filter(
      ({ act, begunMs }) => act.kind === "unfreeze" && begunMs > endedMs,
    );
    const until = Math.min(...lifts.map(({ begunMs }) => begunMs));
    return requests
      .filter(
        (request) =>
          request.act.kind !== "fund" &&
          request.begunMs > endedMs &&
          request.tries.some(
            ({ outcome, endedMs: answeredMs }) => outcome.kind === "ok" && answeredMs < until,
          ) &&
          answersOf(request).length > 0,
      )
      .map(({ name }) => `${name} was accepted while its company was frozen`);
  });
}
