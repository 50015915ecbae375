import { openSink, type Sink } from "../api/belongings.ts";
import { kindOfParameter } from "../api/blueprint.ts";
import { ask, demand, type Reply } from "../api/client.ts";
import { consolePages } from "../api/console-pages.ts";
import { makeConsoleThings } from "../api/console-things.ts";
import { fetchDocument, type Operation, readOperations } from "../api/document.ts";
import { onGround } from "../ground.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import { attackConsole } from "./console.ts";
import {
  makeNeighbour,
  makeNewcomer,
  makeOwner,
  type Owner,
  type Party,
  readEverything,
  type Stage,
} from "./parties.ts";
import { sameKeyTries } from "./same-key.ts";
import {
  bodyTries,
  credentialTries,
  pathTries,
  queryTries,
  type Request,
  type Try,
  UnknownKind,
} from "./tries.ts";

const rounds = { short: 1, full: 20 };

/** Wrong tokens are tried for every operation, and they are not what is limited here. */
const isolationSettings = { AUTH_FAILURES_PER_MINUTE: "1000000" };

export const isolation: Part = {
  name: "isolation",
  promises: "what is one company's is not there for any other, whichever way it is reached for",
  run: (campaign) =>
    onGround({ settings: isolationSettings }, (ground) => attackIsolation(campaign, ground)),
};

/** Reaches for everything of one company from two others, by every operation of the service's own document and every page of the console. */
export async function attackIsolation(campaign: Campaign, stage: Stage): Promise<PartReport> {
  const operations = readOperations(await fetchDocument(stage.url));
  const counts = { rounds: 0, operations: operations.length, pages: consolePages.length, tries: 0 };
  const findings = new Set<string>();
  const sink = await openSink();
  try {
    while (counts.rounds < rounds[campaign.scale] && !campaign.deadline.aborted) {
      campaign.progress(`round ${counts.rounds + 1} of ${rounds[campaign.scale]}`);
      counts.tries += await attackOnce(campaign, stage, operations, sink, findings);
      counts.rounds += 1;
    }
  } finally {
    await sink.close();
  }
  for (const finding of await stage.auditFindings()) findings.add(finding);
  return { counts, findings: [...findings] };
}

async function attackOnce(
  { random }: Campaign,
  stage: Stage,
  operations: readonly Operation[],
  sink: Sink,
  findings: Set<string>,
): Promise<number> {
  const mark = `theirs${random.integer(10 ** 8, 10 ** 9)}`;
  const owner = await makeOwner(stage, mark, sink);
  const parties = [await makeNewcomer(stage), await makeNeighbour(stage, sink)];
  const things = await makeConsoleThings(stage, owner, mark);
  const look = () =>
    Promise.all([owner, ...parties].map((party) => readEverything(stage.url, operations, party)));
  const before = await look();
  const cursors = new Map<Operation, readonly string[]>();
  for (const operation of operations)
    cursors.set(operation, await cursorsOf(stage.url, operation, owner));

  let tries = 0;
  for (const party of parties) {
    for (const operation of operations) {
      for (const one of triesOf(
        operation,
        owner,
        party,
        cursors.get(operation),
        random,
        findings,
      )) {
        tries += 1;
        const problem = await findProblem(stage.url, one, owner);
        if (problem !== undefined)
          findings.add(`${operation.id} by the ${party.name}, ${one.what}: ${problem}`);
      }
    }
  }
  tries += await attackConsole(stage, owner, things, parties, random, findings);
  const changed = (await look()).flatMap((texts, index) =>
    texts.filter((text, place) => text !== before[index]?.[place]),
  );
  for (const text of changed) findings.add(`changed by what was refused: ${text.slice(0, 300)}`);

  // From here on something is created on both sides.
  for (const party of parties) {
    for (const problem of await sameKeyTries(stage.url, operations, owner, party, mark)) {
      tries += 1;
      if (problem !== undefined) findings.add(problem);
    }
  }
  return tries;
}

function triesOf(
  operation: Operation,
  owner: Owner,
  party: Party,
  cursors: readonly string[] = [],
  random: Campaign["random"],
  findings: Set<string>,
): Try[] {
  if (!operation.needsToken) return [];
  try {
    return [
      ...pathTries(operation, owner, party, random),
      ...queryTries(operation, owner, party, cursors, random),
      ...bodyTries(operation, owner, party, random),
      ...credentialTries(operation, owner, party, random),
    ];
  } catch (error) {
    if (!(error instanceof UnknownKind)) throw error;
    findings.add(error.message);
    return [];
  }
}

/** The cursors that the owner gets from this list. */
async function cursorsOf(url: string, operation: Operation, owner: Owner): Promise<string[]> {
  if (!operation.parameters.some(({ name }) => name === "cursor")) return [];
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => owner.belongings[kindOfParameter(operation, name)]?.[0] ?? "",
  );
  const read = async (query: string) =>
    (await demand(url, "GET", `${path}?limit=1${query}`, { token: owner.token })).body.cursor;
  const { next } = await read("");
  // A day is sealed when it is over: whoever has just opened an account has no seal, and no cursor to give away.
  if (operation.path === "/v1/statement/seals" && next === null) return [];
  const { prev } = await read(`&cursor=${next}`);
  return [next, prev];
}

async function findProblem(url: string, one: Try, owner: Owner): Promise<string | undefined> {
  const { operation, foreign, unknown, statuses } = one;
  const answer = await send(url, operation, foreign);
  const told = withoutEcho(answer, foreign);
  const secret = owner.secrets.find((text) => told.includes(text));
  if (secret !== undefined) return `the answer has ${secret} in it: ${told.slice(0, 300)}`;
  if (statuses !== undefined && !statuses.includes(answer.status))
    return `${answer.status} instead of ${statuses.join(" or ")}: ${told.slice(0, 300)}`;
  const isOwn = one.unknown === undefined;
  if (!isOwn && answer.status < 400 && answer.body?.count !== 0)
    return `${answer.status} and not empty: ${told.slice(0, 300)}`;
  if (unknown === undefined) return undefined;

  const nothing = await send(url, operation, unknown);
  const expected = withoutEcho(nothing, unknown);
  return nothing.status === answer.status && told === expected
    ? undefined
    : `the answer differs from the one to an unknown id: ${answer.status} ${told.slice(0, 200)} and ${nothing.status} ${expected.slice(0, 200)}`;
}

function send(url: string, { method }: Operation, { address, ...options }: Request) {
  return ask(url, method, address, options);
}

/** The answer without what names the request, and with the id it asked for taken out. */
function withoutEcho({ text, body }: Reply, { named }: Request): string {
  if (body === undefined) return text;
  const { correlationId: _, timestamp: __, path: ___, ...rest } = body;
  const told = JSON.stringify(rest);
  return named === "" ? told : told.replaceAll(named, "…");
}
