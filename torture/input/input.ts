import { companyIdPrefix } from "../../src/companies/company.ts";
import { toPublicId } from "../../src/kernel/ids.ts";
import { makeBelongings, openSink, type Sink, untilSettled } from "../api/belongings.ts";
import { demand, eachRow } from "../api/client.ts";
import { makeConsoleThings } from "../api/console-things.ts";
import { signInOperator, signInWithCodes } from "../api/console-visitor.ts";
import {
  fetchDocument,
  type OpenApiDocument,
  type Operation,
  readOperations,
} from "../api/document.ts";
import { type Exchange, Wire } from "../api/wire.ts";
import { type Ground, onGround } from "../ground.ts";
import { memoryOf } from "../memory.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import { untilReady } from "../until-ready.ts";
import { breakages } from "./breakages.ts";
import { Complaints } from "./complaints.ts";
import { consoleOperations, isConsole } from "./console.ts";
import { makeJudge } from "./judge.ts";
import { isPage, pages } from "./pages.ts";
import { RequestSource, type Target } from "./request-source.ts";

const requestsWanted = { short: 2_400, full: 100_000 };
/** Most of them wait, because a request that has no end is given a moment. */
const lanes = 48;
const answerTimeoutMs = 30_000;
const readyLimitMs = 30_000;
const fund = 1_000_000_000;
/** What the service may come to hold, whatever is thrown at it; it starts with some 100 MB. */
const memoryMaxMb = 600;
const measureEvery = 500;

/** The service neither sheds load nor counts what is asked often: nothing but the request decides the answer. */
export const inputSettings = {
  EVENT_LOOP_DELAY_MAX_MS: "0",
  REQUESTS_IN_FLIGHT_MAX: "0",
  AUTH_FAILURES_PER_MINUTE: "1000000",
  CUSTOMER_CHECKS_PER_MINUTE: "1000000",
  UNKNOWN_RECIPIENTS_PER_DAY: "1000000",
};

export const input: Part = {
  name: "input",
  promises:
    "whatever is sent, the answer is a documented one, in time, and neither the books nor the memory show it",
  run: (campaign) =>
    onGround({ settings: inputSettings }, (ground) => attackWithInput(campaign, ground)),
};

/** Sends broken requests of every kind to every operation of the service's own document. */
export async function attackWithInput(campaign: Campaign, ground: Ground): Promise<PartReport> {
  const sink = await openSink();
  try {
    const document = await fetchDocument(ground.url);
    const operations = readOperations(document);
    const targets = await makeTargets(ground, sink);
    const addresses = [...operations, ...pages, ...consoleOperations];
    const tally = await sendBroken(campaign, ground, document, addresses, targets);

    const findings = [...tally.complaints.findings(), ...(await inspect(ground, targets))];
    const memoryMb = Math.max(tally.memoryMb, await memoryOf(ground.program));
    if (memoryMb > memoryMaxMb) findings.push(`the service came to hold ${memoryMb} MB`);
    return {
      counts: {
        requests: tally.sent,
        operations: operations.length,
        pages: pages.length + consoleOperations.length,
        "kinds of breakage": breakages.length,
        "answered 2xx": tally.answers.get("2xx") ?? 0,
        "answered 3xx": tally.answers.get("3xx") ?? 0,
        "answered 4xx": tally.answers.get("4xx") ?? 0,
        "answered 5xx": tally.answers.get("5xx") ?? 0,
        "hung up on": tally.answers.get("none") ?? 0,
        "slowest ms": Math.round(tally.slowestMs),
        "memory MB": memoryMb,
      },
      findings,
    };
  } finally {
    await sink.close();
  }
}

interface Targets {
  readonly general: Target;
  /** On its own: what is accepted there hears of nothing that happens elsewhere. */
  readonly webhooks: Target;
  /** With the links of its charges as what they are paid by. */
  readonly pages: Target;
  /** Somebody signed in to the console, who may take away its keys: nothing else is asked of it. */
  readonly console: Target;
  /** An operator, and a company that may be frozen: nothing is asked of it either. */
  readonly operations: Target;
}

async function makeTargets(ground: Ground, sink: Sink): Promise<Targets> {
  const make = async (name: string): Promise<Target> => {
    const { accessToken: token } = await ground.makeCompany({ name, fund });
    return { token, belongings: await makeBelongings(ground.url, token, name, sink) };
  };
  const ofPages = await make("pages");
  const links: string[] = [];
  for await (const { paymentUrl } of eachRow(ground.url, ofPages.token, "/v1/charges"))
    links.push(String(paymentUrl).replace(/^.*\//, ""));
  return {
    console: await makeConsoleTarget(ground, sink),
    operations: await makeOperatorTarget(ground, sink),
    general: await make("general"),
    webhooks: await make("webhooks"),
    pages: { ...ofPages, belongings: { ...ofPages.belongings, pay: links } },
  };
}

async function makeConsoleTarget(ground: Ground, sink: Sink): Promise<Target> {
  const name = "console";
  const { id, accessToken: token } = await ground.makeCompany({ name, fund });
  const belongings = await makeBelongings(ground.url, token, name, sink);
  const { ids } = await makeConsoleThings(ground, { id, belongings }, name);
  const { transfers, drafts, payrolls, proposals, keys, people } = ids;
  return {
    token,
    // By what stands before them in the address.
    belongings: {
      transfers: [transfers],
      drafts: [drafts],
      payroll: [payrolls],
      approvals: [proposals],
      keys: [keys],
      people: [people],
    },
    visitor: await signInWithCodes(ground.url, ground.database, id, "boss@shop.example"),
  };
}

async function makeOperatorTarget(ground: Ground, sink: Sink): Promise<Target> {
  const name = "operated";
  const { id, accessToken: token } = await ground.makeCompany({ name, fund });
  const { webhooks = [] } = await makeBelongings(ground.url, token, name, sink);
  return {
    token,
    belongings: { companies: [toPublicId(companyIdPrefix, id)], endpoints: webhooks },
    visitor: await signInOperator(ground.database, "ops@operator.example"),
  };
}

interface Tally {
  sent: number;
  slowestMs: number;
  memoryMb: number;
  /** Answers by the first digit of their status. */
  readonly answers: Map<string, number>;
  readonly complaints: Complaints;
}

async function sendBroken(
  campaign: Campaign,
  ground: Ground,
  document: OpenApiDocument,
  operations: readonly Operation[],
  targets: Targets,
): Promise<Tally> {
  const wanted = requestsWanted[campaign.scale];
  const judge = makeJudge(document);
  const source = new RequestSource(campaign.random, operations, breakages, (operation) => {
    if (isConsole(operation))
      return operation.path.startsWith("/console/operations")
        ? targets.operations
        : targets.console;
    if (isPage(operation)) return targets.pages;
    return operation.path.startsWith("/v1/webhooks") ? targets.webhooks : targets.general;
  });
  const tally: Tally = {
    sent: 0,
    slowestMs: 0,
    memoryMb: 0,
    answers: new Map(),
    complaints: new Complaints(campaign.seed),
  };
  const run = async () => {
    const wire = new Wire(ground.url, answerTimeoutMs);
    while (tally.sent < wanted && !campaign.deadline.aborted && ground.program.isRunning) {
      const number = tally.sent;
      tally.sent += 1;
      const next = source.next(number);
      const start = performance.now();
      const exchange = await wire.send(next.request);
      tally.slowestMs = Math.max(tally.slowestMs, performance.now() - start);
      for (const kind of kindsOf(exchange))
        tally.answers.set(kind, (tally.answers.get(kind) ?? 0) + 1);
      const problem = judge(next, exchange);
      if (problem !== undefined) tally.complaints.add(number, next, problem);
      if (number % measureEvery === 0) {
        tally.memoryMb = Math.max(tally.memoryMb, await memoryOf(ground.program));
        campaign.progress(`${number} of ${wanted} requests, ${tally.complaints.count} findings`);
      }
    }
    wire.close();
  };
  await Promise.all(Array.from({ length: lanes }, run));
  return tally;
}

function kindsOf(exchange: Exchange): string[] {
  if (exchange.kind !== "answered") return ["none"];
  return exchange.answers.map(({ status }) => `${Math.floor(status / 100)}xx`);
}

/** The service lives, and the money is where its own answers say it is. */
async function inspect(ground: Ground, targets: Targets): Promise<string[]> {
  if (!ground.program.isRunning) return [`the service went away: ${ground.program.output}`];
  const findings: string[] = [];
  findings.push(...(await untilReady(ground.url, readyLimitMs)));
  for (const { token } of [targets.general, targets.webhooks, targets.pages]) {
    await untilSettled(ground.url, token);
    let expected = fund;
    for await (const { status, totalAmount } of eachRow(ground.url, token, "/v1/transactions"))
      if (status === "completed") expected -= totalAmount;
    for await (const { paid, refunded } of eachRow(ground.url, token, "/v1/charges"))
      expected += paid - refunded;
    const { balance } = (await demand(ground.url, "GET", "/v1/balance", { token })).body;
    if (balance !== expected)
      findings.push(`the balance is ${balance}, and what was done makes it ${expected}`);
  }
  return [...findings, ...(await ground.auditFindings())];
}
