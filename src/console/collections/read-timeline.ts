import type { Charge } from "../../charges/charge.ts";
import type { Database } from "../../database/database.ts";
import { firstUuidAt } from "../../kernel/ids.ts";
import { emailsOf } from "../../staff/people.ts";
import { readTrail } from "../../trail/read-trail.ts";
import { findHistory } from "../../webhooks/find-history.ts";
import type { ScreenContext } from "../context.ts";
import type { Step } from "../views/steps.tsx";
import { collectionWords } from "../words/collections.ts";
import { findRefundProposals } from "./find-refunds.ts";
import { type TimelineRequest, toTimeline } from "./timeline.ts";

/** The newest payments and refunds that are told, each with who was told of it. */
const stepsMax = 20;
/** An entry of the trail bears the time of what it tells, give or take a slow commit and a clock that was set back. */
const apartMs = 61_000;
const entriesMax = 200;

/** All that happened to a charge, as far as anybody still knows. */
export async function readTimeline(
  database: Database,
  { company, words: frame, language }: ScreenContext,
  charge: Charge,
): Promise<Step[]> {
  const transactions = charge.transactions.slice(-stepsMax);
  const moments = [
    ...transactions.filter(({ status }) => status === "completed").map((one) => one.createdAt),
    ...(charge.droppedReason === null ? [] : [charge.updatedAt]),
  ];
  const [maker, proposals, history] = await Promise.all([
    findMaker(database, company.id, charge),
    findRefundProposals(database, company.id, charge),
    findHistory(database, company.id, charge.id, moments),
  ]);
  const people = [...proposals.values()].flatMap(({ madeBy, decision }) => [
    madeBy,
    ...(decision === null ? [] : [decision.decidedBy]),
  ]);
  if (typeof maker === "object") people.push(maker.personId);
  return toTimeline({
    charge,
    transactions,
    maker,
    proposals,
    history,
    emails: await emailsOf(database, people),
    words: collectionWords[language],
    frame,
    timeZone: company.timeZone,
  });
}

/** A link that a person made is in the trail; what is not was made by a program. */
async function findMaker(
  database: Database,
  companyId: string,
  { id, createdAt }: Charge,
): Promise<TimelineRequest["maker"]> {
  const at = createdAt.getTime();
  const entries = await readTrail(database, {
    companyId,
    since: new Date(at - apartMs),
    before: firstUuidAt(at + apartMs),
    limit: entriesMax,
  });
  const entry = entries.find(
    ({ action, subject }) => action === "charge.created" && subject === id,
  );
  if (entry === undefined) return entries.length < entriesMax ? "api" : undefined;
  return "personId" in entry.by ? { personId: entry.by.personId } : undefined;
}
