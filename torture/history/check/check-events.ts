import type { EventState } from "../final-state.ts";
import type { Operation, Told } from "../operation.ts";
import type { CompanyIndex } from "./company-index.ts";
import { groupBy } from "./group-by.ts";

/** What happened was written down in order, everybody was told all of it, and of one object nothing older came after something newer. */
export function checkEvents(
  index: CompanyIndex,
  operations: readonly Operation[],
  told: readonly Told[],
): string[] {
  return [
    ...checkWritten(index),
    ...checkTold(index.state.events, told),
    ...checkPulled(index.state.events, operations),
  ];
}

const topicOf = {
  pending: [],
  completed: ["transactions/completed"],
  failed: ["transactions/failed"],
} as const;

function checkWritten(index: CompanyIndex): string[] {
  const { events, transfers } = index.state;
  const findings: string[] = [];
  const gap = events.findIndex(({ number }, place) => number !== place + 1);
  if (gap !== -1) findings.push(`event ${gap + 1} is missing`);
  const bySubject = groupBy(events, ({ subject }) => subject);
  for (const { uuid, reference, status } of transfers) {
    const topics = bySubject.get(uuid)?.map(({ topic }) => topic) ?? [];
    const expected = ["transactions/started", ...topicOf[status]];
    if (topics.join() !== expected.join())
      findings.push(
        `the events of transfer ${reference}, which is ${status}, are ${topics.join(", ") || "none"}`,
      );
  }
  return findings;
}

function checkTold(events: readonly EventState[], told: readonly Told[]): string[] {
  const findings: string[] = [];
  const byMessage = new Map(events.map((event) => [event.message, event]));
  const arrived = new Set<string>();
  const lastOf = new Map<string, number>();
  for (const { message, digest } of told) {
    const event = byMessage.get(message);
    if (event === undefined) {
      findings.push(`the notification ${message} tells of nothing that happened`);
      continue;
    }
    const { number, topic, subject } = event;
    if (event.digest !== null && event.digest !== digest)
      findings.push(`the notification ${message} has other bytes`);
    if (arrived.has(message)) continue;
    arrived.add(message);
    if (number < (lastOf.get(subject) ?? 0))
      findings.push(`event ${number} (${topic}) came after a later one of its object`);
    lastOf.set(subject, number);
  }
  for (const { message, number, topic } of events)
    if (!arrived.has(message)) findings.push(`event ${number} (${topic}) was never told`);
  return findings;
}

/** What is asked for has no gap, and is what was written down. */
function checkPulled(events: readonly EventState[], operations: readonly Operation[]): string[] {
  return operations.flatMap(({ id, act, outcome }) => {
    if (act.kind !== "pull events" || outcome.kind !== "ok") return [];
    const rows: readonly { sequence: number; topic: string }[] = outcome.body.data;
    const wrong = rows.find(({ sequence, topic }, place) => {
      const number = act.after + place + 1;
      return sequence !== number || topic !== events[number - 1]?.topic;
    });
    return wrong === undefined
      ? []
      : [`pull ${id} after ${act.after} has ${wrong.topic} as ${wrong.sequence}`];
  });
}
