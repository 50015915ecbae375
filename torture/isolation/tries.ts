import { exampleBody, fieldsOf, kindOfParameter, toAddress, withValue } from "../api/blueprint.ts";
import type { Ask } from "../api/client.ts";
import type { Operation } from "../api/document.ts";
import type { Random } from "../random.ts";
import type { Owner, Party } from "./parties.ts";

/** One request that reaches for what is another's. */
export interface Try {
  readonly operation: Operation;
  readonly what: string;
  readonly foreign: Request;
  /** The same with something that nobody has. Its answer must be the same. */
  readonly unknown?: Request;
  /** Statuses that are right; undefined: any that refuses, or an empty list. */
  readonly statuses?: readonly number[];
}

export interface Request extends Ask {
  readonly address: string;
  /** What differs between foreign and unknown, so that an echo of it can be told from an answer. */
  readonly named: string;
}

/** Fields and parameters that hold an id, by the kind of thing they name. */
const kindsByName: Readonly<Record<string, string>> = {
  batchId: "batches",
  subCompanyId: "sub-companies",
  webhookId: "webhooks",
  chargeId: "charges",
  transactionId: "transactions",
};

/** The caller's own name for a thing, not an id of ours. */
const isIdName = (name: string): boolean => name.endsWith("Id") && name !== "externalId";

export class UnknownKind extends Error {}

function ownersIds(owner: Owner, kind: string | undefined, where: string): readonly string[] {
  const ids = kind === undefined ? undefined : owner.belongings[kind];
  if (ids === undefined || ids.length === 0)
    throw new UnknownKind(
      `${where} names something that this part does not know how to make: teach it (${String(kind)})`,
    );
  return ids;
}

/** The owner's ids in the address: of the right kind, and of every other kind too. */
export function pathTries(operation: Operation, owner: Owner, party: Party, random: Random): Try[] {
  const names = operation.parameters.filter((one) => one.in === "path").map(({ name }) => name);
  // The first, because things below it are its own.
  const own = (name: string) =>
    party.belongings[kindOfParameter(operation, name)]?.[0] ?? nobodys("0", random);
  return names.flatMap((name, index) => {
    const kind = kindOfParameter(operation, name);
    const right = ownersIds(owner, kind, `{${name}} of ${operation.id}`);
    const taken = new Set(party.belongings[kind]);
    const others = Object.values(owner.belongings).map(([first = ""]) => first);
    const ids = [...new Set([...right, ...others])].filter((id) => !taken.has(id));
    return ids.flatMap((id) => {
      // What stands before it is the owner's too, or the asker's own; the owner's is the more tempting.
      const before = names.slice(0, index);
      const ways = index === 0 ? ["theirs"] : ["theirs", "own"];
      return ways.flatMap((way) => {
        const path = Object.fromEntries([
          ...before.map((one): [string, string] => [
            one,
            way === "own"
              ? own(one)
              : (owner.belongings[kindOfParameter(operation, one)]?.[0] ?? ""),
          ]),
          ...names
            .slice(index + 1)
            .map((one): [string, string] => [
              one,
              owner.belongings[kindOfParameter(operation, one)]?.[0] ?? "",
            ]),
        ]);
        const stranger = nobodys(id, random);
        return bodiesFor(operation, random).map((body): Try => {
          const request = (value: string): Request => ({
            address: toAddress({ operation, path: { ...path, [name]: value } }),
            token: party.token,
            named: value,
            ...body,
          });
          return {
            operation,
            what: `${kind} id in the address`,
            foreign: request(id),
            unknown: request(stranger),
            statuses: [404],
          };
        });
      });
    });
  });
}

/** Lists and filters: by the owner's ids, words and cursors. */
export function queryTries(
  operation: Operation,
  owner: Owner,
  party: Party,
  cursors: readonly string[],
  random: Random,
): Try[] {
  const address = ownAddress(operation, party, random);
  if (operation.method !== "GET" || address === undefined) return [];
  const parameters = operation.parameters.filter((one) => one.in === "query");
  const required = parameters
    .filter((one) => one.required)
    .map(({ name }) => `${name}=${owner.words[name]?.[0] ?? ""}`);
  const asking = (query: string, named: string): Request => ({
    address: `${address}?${[...required, query].join("&")}`,
    token: party.token,
    named,
  });
  const plain: Try = { operation, what: "the plain question", foreign: asking("", "") };
  const tries = parameters.flatMap(({ name, required: isRequired }): Try[] => {
    if (isIdName(name)) {
      const ids = ownersIds(owner, kindsByName[name], `${name} of ${operation.id}`);
      return ids.map((id) => {
        const stranger = nobodys(id, random);
        return {
          operation,
          what: `${name} in the query`,
          foreign: asking(`${name}=${id}`, id),
          unknown: asking(`${name}=${stranger}`, stranger),
        };
      });
    }
    if (name === "cursor")
      return cursors.map((cursor) => ({
        operation,
        what: "a cursor that the owner was given",
        foreign: asking(`cursor=${cursor}`, cursor),
        unknown: asking("cursor=AAAAAAAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
        statuses: [400],
      }));
    const words = owner.words[name];
    if (words === undefined)
      throw new UnknownKind(`${name} of ${operation.id} is a question this part does not know yet`);
    return isRequired
      ? []
      : words.map((word) => ({
          operation,
          what: `${name} in the query`,
          foreign: asking(`${name}=${encodeURIComponent(word)}`, word),
        }));
  });
  return [plain, ...tries];
}

/** The owner's ids inside an otherwise good body. */
export function bodyTries(operation: Operation, owner: Owner, party: Party, random: Random): Try[] {
  const address = ownAddress(operation, party, random);
  if (operation.body === undefined || address === undefined) return [];
  const places = fieldsOf(operation.body)
    .map(({ place }) => place)
    .filter((place) => isIdName(String(place.at(-1))));
  return places.flatMap((place) => {
    const name = String(place.at(-1));
    return ownersIds(owner, kindsByName[name], `${name} of ${operation.id}`).map((id): Try => {
      const body = exampleBody(operation, `reached-${random.integer(0, 2 ** 31)}`);
      const request = (value: string): Request => ({
        address,
        token: party.token,
        named: value,
        body: withValue(body, place, value),
      });
      return {
        operation,
        what: `${place.join(".")} in the body`,
        foreign: request(id),
        unknown: request(nobodys(id, random)),
      };
    });
  });
}

/** The owner's name beside the asker's token, and the owner's things without any token. */
export function credentialTries(
  operation: Operation,
  owner: Owner,
  party: Party,
  random: Random,
): Try[] {
  if (!operation.needsToken) return [];
  const bodies = bodiesFor(operation, random).slice(0, 1);
  const theirs = ownAddress(operation, owner, random) ?? operation.path;
  const own = ownAddress(operation, party, random) ?? theirs;
  const headers = { "x-company-id": `com_${owner.id.replaceAll("-", "")}` };
  return bodies.flatMap((body): Try[] => [
    ...[own, theirs].map((address) => ({
      operation,
      what: "the owner's name beside another's token",
      foreign: { address, token: party.token, named: "", headers, ...body },
      statuses: [403],
    })),
    {
      operation,
      what: "no token",
      foreign: { address: theirs, named: "", ...body },
      statuses: [401],
    },
    {
      operation,
      what: "a token that nobody has",
      foreign: { address: theirs, token: `at_${"x".repeat(43)}`, named: "", ...body },
      statuses: [401],
    },
  ]);
}

/** The operation's address with the party's own things in it; undefined when it has none. */
function ownAddress(operation: Operation, party: Party, random: Random): string | undefined {
  const names = operation.parameters.filter((one) => one.in === "path").map(({ name }) => name);
  const path: Record<string, string> = {};
  for (const name of names) {
    const ids = party.belongings[kindOfParameter(operation, name)] ?? [];
    if (ids.length === 0) return undefined;
    path[name] = names.length > 1 ? (ids[0] ?? "") : random.pick(ids);
  }
  return toAddress({ operation, path });
}

/** A good body, one that is broken, and none: what is another's is not there, whatever the body looks like. */
function bodiesFor(operation: Operation, random: Random): { readonly body?: unknown }[] {
  if (operation.body === undefined) return [{}];
  const good = exampleBody(operation, `reached-${random.integer(0, 2 ** 31)}`);
  return [{ body: good }, { body: { amount: "many" } }, {}];
}

/** An id of the same form that nobody has. */
function nobodys(id: string, random: Random): string {
  if (/^\d+$/.test(id)) return String(random.integer(10 ** 9, 10 ** 10));
  const at = id.lastIndexOf("_") + 1;
  return (
    id.slice(0, at) + id.slice(at).replaceAll(/[0-9a-f]/g, () => random.integer(0, 15).toString(16))
  );
}
