import { exampleBody } from "../api/blueprint.ts";
import { ask } from "../api/client.ts";
import type { Operation } from "../api/document.ts";
import type { Owner, Party } from "./parties.ts";

/**
 * The same Idempotency-Key, the same references, the same words, sent by two companies: each gets a thing of its
 * own, and nobody learns that the other was there first.
 */
export async function sameKeyTries(
  url: string,
  operations: readonly Operation[],
  owner: Owner,
  party: Party,
  mark: string,
): Promise<(string | undefined)[]> {
  const creating = operations.filter(
    ({ parameters, body }) =>
      body !== undefined &&
      parameters.some(({ name }) => name === "idempotency-key") &&
      !parameters.some((one) => one.in === "path"),
  );
  const problems: (string | undefined)[] = [];
  for (const operation of creating) {
    const request = {
      body: exampleBody(operation, `${mark}-shared-${operation.id}-${party.name}`),
      headers: { "idempotency-key": `${mark}-${operation.id}-${party.name}` },
    };
    const send = (token: string) =>
      ask(url, operation.method, operation.path, { ...request, token });
    const first = await send(owner.token);
    const second = await send(party.token);
    const again = await send(party.token);
    const told = `${first.status}, ${second.status} and ${again.status}`;
    const isRight =
      first.status === 201 &&
      second.status === 201 &&
      !second.headers.has("idempotency-replayed") &&
      second.body.id !== first.body.id &&
      again.headers.get("idempotency-replayed") === "true" &&
      again.body.id === second.body.id;
    problems.push(
      isRight
        ? undefined
        : `${operation.id} with another's Idempotency-Key by the ${party.name}: ${told}: ${second.text.slice(0, 300)}`,
    );
  }
  return problems;
}
