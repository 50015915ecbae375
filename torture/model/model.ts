import { onPlace, type Place } from "../ground.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import { Client } from "../traffic/client.ts";
import { firstFund } from "./books.ts";
import { judgeRace } from "./judge-race.ts";
import { race, untilSettled } from "./race.ts";
import { runCommands } from "./run-commands.ts";
import { World } from "./world.ts";

/** Commands of the sequences, and requests that race. */
const targets = {
  short: { commands: 120, races: 1, rounds: 6 },
  full: { commands: 10_000, races: 25, rounds: 20 },
} as const;
const settleLimitMs = 60_000;
const answerLimitMs = 60_000;
/** Not one of a sequence's. */
const firstRaceNumber = 50_000_000;

export const model: Part = {
  name: "model",
  promises:
    "Any sequence of requests over the whole API does what a small model of the money says, and requests that race leave one consistent story.",
  run: (campaign) => onPlace({}, (place) => compareWithModel(campaign, place)),
};

/** What is compared are the books: on a busy machine nobody is refused for the service being late. */
const patient = { EVENT_LOOP_DELAY_MAX_MS: "0" };

async function compareWithModel(campaign: Campaign, place: Place): Promise<PartReport> {
  const { commands, races, rounds } = targets[campaign.scale];
  // No worker: the sequences say themselves when transfers are settled.
  const first = await place.start({ ...patient, ROLES: "api" });
  const sequential = await runCommands(campaign, place, first.url, commands);

  const second = await place.start(patient);
  const findings: string[] = [];
  let raced = 0;
  for (let number = 0; number < races && !campaign.deadline.aborted; number += 1) {
    campaign.progress(`race ${number + 1} of ${races}`);
    const report = await runRace(campaign, place, [first.url, second.url], number, rounds);
    raced += report.requests;
    findings.push(...report.findings);
  }
  return {
    counts: { commands: sequential.commands, sequences: sequential.runs, "racing requests": raced },
    findings: [...sequential.findings, ...findings, ...(await place.auditFindings())],
  };
}

async function runRace(
  campaign: Campaign,
  place: Place,
  urls: readonly string[],
  number: number,
  rounds: number,
): Promise<{ readonly requests: number; readonly findings: string[] }> {
  const [url = ""] = urls;
  const { world } = await World.open(place, url, firstRaceNumber + number);
  const { company, people } = world;
  const clients = urls.map(
    (one) => new Client({ token: company.accessToken, url: () => one, answerLimitMs }),
  );
  try {
    const random = campaign.random.fork();
    const raced = await race({ campaign, random, clients, people }, rounds);
    await untilSettled(place.database, company.id, settleLimitMs);
    const findings = await judgeRace(raced, world.client, firstFund);
    const oddities = clients.flatMap((client) => client.oddities);
    return { requests: raced.length, findings: [...findings, ...oddities] };
  } finally {
    await world.close();
    for (const client of clients) await client.close();
  }
}
