import { fetchDocument, readOperations } from "../api/document.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import type { Random } from "../random.ts";
import { apiCases } from "./api-cases.ts";
import type { Case } from "./case.ts";
import { commandCases, tryCommand } from "./command-cases.ts";
import { fileCases } from "./file-cases.ts";
import { envelopeCases, formCases } from "./form-cases.ts";
import { Judge, memoryMaxMb } from "./judge.ts";
import { doLargest } from "./largest.ts";
import { watchNeighbour } from "./neighbour.ts";
import { Site } from "./site.ts";

/** How many cases of each kind are tried, and how long they get. */
const scales = {
  short: {
    api: 60,
    forms: 40,
    envelopes: 5,
    files: 12,
    commands: 4,
    bodyShare: 0.25,
    fileShare: 0.02,
  },
  full: {
    api: Number.POSITIVE_INFINITY,
    // Of some thirteen thousand: every form, and what chance adds to that.
    forms: 3_000,
    envelopes: Number.POSITIVE_INFINITY,
    files: Number.POSITIVE_INFINITY,
    commands: Number.POSITIVE_INFINITY,
    bodyShare: 1,
    fileShare: 1,
  },
};
const p99MaxMs = 250;

/** Tried however few are tried: each of these has stopped a service once. */
const known = [
  "POST /nothing without a token, body: a number that is nearly 5000",
  "POST /v1/transactions, body: a number that is nearly 5000",
  "POST /v1/transactions/batch, whole body: lines and a letter",
  "POST /v1/transactions/batch, whole body: a long text and a wrong end",
  "an upload, workbook: a number format of brackets",
  "an upload, workbook: cells that share one long text",
];

export const cost: Part = {
  name: "cost",
  promises:
    "Whatever is sent, and however long: the time grows with its length and not faster, nobody else waits for a quarter of a second, and the memory is bounded.",
  run: (campaign) => Site.open({ root: campaign.program }, (site) => tryEverything(campaign, site)),
};

async function tryEverything(campaign: Campaign, site: Site): Promise<PartReport> {
  const { random, scale, deadline, progress } = campaign;
  const size = scales[scale];
  const operations = readOperations(await fetchDocument(site.url));
  const api = some(random, apiCases(operations), size.api);
  const forms = some(random, formCases(), size.forms);
  const envelopes = some(random, envelopeCases(), size.envelopes);
  const files = some(random, fileCases(), size.files);
  const commands = some(random, commandCases(), size.commands);

  const judge = new Judge(site);
  const findings: string[] = [];
  const total = api.length + forms.length + envelopes.length + files.length + commands.length;
  const tryAll = async <One>(cases: readonly One[], attempt: (one: One) => Promise<string[]>) => {
    for (const one of cases) {
      if (deadline.aborted) return;
      findings.push(...(await attempt(one)));
      progress(`${judge.tally.cases} of ${total} cases, ${findings.length} findings`);
    }
  };
  await tryAll([...files, ...envelopes], (one) => judge.try(one, size.fileShare));
  await tryAll(api, (one) => judge.try(one, size.bodyShare));
  await tryAll(forms, (one) => judge.try(one, 1));
  await tryAll(commands, (one) => tryCommand(site, one, size.fileShare, judge.tally));
  await judge.close();
  const largest = await doLargest(site, scale, progress);
  findings.push(...largest.findings);

  const { tally } = judge;
  const counts: Record<string, number> = {
    cases: tally.cases,
    requests: tally.requests,
    restarts: tally.restarts,
    "ms of CPU at most": tally.longestMs,
    "ms others were held up at most": Math.round(tally.heldUpMs),
    "MB at most": tally.peakMb,
  };
  counts["large things that are allowed"] = largest.steps;
  counts["ms others were held up by them at most"] = Math.round(
    Math.max(...largest.heldUpMs.values()),
  );
  // One that is beaten already shows nothing more.
  if (findings.length === 0) await addNeighbours(campaign, site, { api, files }, counts, findings);
  return { counts, findings };
}

/** Another company's balance while bodies and files of the largest size are read. */
async function addNeighbours(
  { scale, deadline, progress }: Campaign,
  site: Site,
  { api, files }: { readonly api: readonly Case[]; readonly files: readonly Case[] },
  counts: Record<string, number>,
  findings: string[],
): Promise<void> {
  const size = scales[scale];
  const mayGoOn = () => !deadline.aborted;
  const bodies = api.filter(({ name }) => name.includes(", body: "));
  for (const [what, cases, share] of [
    ["bodies of 1 MB", bodies, size.bodyShare],
    ["files of 10 MB", files, size.fileShare],
  ] as const) {
    progress(`another company beside ${cases.length} ${what}`);
    const report = await watchNeighbour(site, cases, share, scale, mayGoOn);
    counts[`${what} beside a neighbour`] = report.requests;
    counts[`ms p99 of its balance beside ${what}`] = report.p99Ms;
    counts[`of them the service's own work, beside ${what}`] = report.heldUpP99Ms;
    counts[`ms p99 before ${what}`] = report.quietP99Ms;
    counts[`MB beside ${what}`] = report.memoryMb;
    if (report.heldUpP99Ms >= p99MaxMs)
      findings.push(`beside ${what} another company's balance takes ${report.p99Ms} ms (p99)`);
    if (report.memoryMb > memoryMaxMb)
      findings.push(`beside ${what} the service comes to ${report.memoryMb} MB`);
  }
}

/** So many of them, by chance: those that are always tried, then one for each way in, then others. */
function some<One extends { readonly name: string }>(
  random: Random,
  cases: readonly One[],
  count: number,
): One[] {
  if (cases.length <= count) return [...cases];
  const chosen = new Set(cases.filter(({ name }) => known.includes(name)));
  const ways = new Map<string, One[]>();
  for (const one of cases) {
    const [way = ""] = one.name.split(", ", 1);
    ways.set(way, [...(ways.get(way) ?? []), one]);
  }
  for (const way of ways.values()) if (chosen.size < count) chosen.add(random.pick(way));
  while (chosen.size < count) chosen.add(random.pick(cases));
  return [...chosen];
}
