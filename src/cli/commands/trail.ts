import { companyIdPrefix } from "../../companies/company.ts";
import { keyIdPrefix } from "../../companies/credentials.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { personIdPrefix } from "../../staff/person.ts";
import { readTrail } from "../../trail/read-trail.ts";
import { type Changes, type TrailEntry, trailIdPrefix } from "../../trail/trail.ts";
import type { TypedMoment } from "../clock.ts";
import type { Context, Outcome } from "../context.ts";
import { findClock } from "../find-clock.ts";
import { toTable } from "../table.ts";

export interface TrailOptions {
  readonly company?: string;
  readonly since?: TypedMoment;
  readonly before?: string;
  readonly limit: number;
}

/** Who changed what, newest first. */
export async function trailCommand(
  context: Context,
  { company, since, before, limit }: TrailOptions,
): Promise<Outcome> {
  const clock = await findClock(context, company);
  const found = await readTrail(context.database, {
    companyId: company,
    since: since?.(clock),
    before,
    limit,
  });
  const entries = found.map(toShown);
  const last = entries.at(-1);
  return {
    value: entries,
    text: [
      toTable([
        ["TIME", "WHO", "BY", "ACTION", "SUBJECT", "CHANGES"],
        ...entries.map(({ at, who, via, action, subject, changes }) => [
          clock.show(at),
          who,
          via,
          action,
          subject,
          toWords(changes),
        ]),
      ]),
      "",
      clock.note,
      ...(last !== undefined && entries.length === limit
        ? [`What is older: add --before ${last.id}`]
        : []),
    ].join("\n"),
  };
}

function toShown(entry: TrailEntry) {
  const { by, companyId } = entry;
  return {
    id: toPublicId(trailIdPrefix, entry.id),
    at: entry.at.toISOString(),
    who: whoOf(by),
    address: "operator" in by ? null : by.address,
    via: entry.via,
    action: entry.action,
    companyId: companyId === null ? null : toPublicId(companyIdPrefix, companyId),
    subject: entry.subject,
    changes: entry.changes,
  };
}

function whoOf(by: TrailEntry["by"]): string {
  if ("operator" in by) return `operator ${by.operator}`;
  return "keyId" in by
    ? toPublicId(keyIdPrefix, by.keyId)
    : toPublicId(personIdPrefix, by.personId);
}

/** As JSON, so that nothing that somebody wrote reaches the terminal as it is. */
function toWords(changes: Changes): string {
  return Object.entries(changes)
    .map(([field, { from, to }]) =>
      from === null
        ? `${field}: ${JSON.stringify(to)}`
        : `${field}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`,
    )
    .join(", ");
}
