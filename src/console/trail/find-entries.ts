import type { Database } from "../../database/database.ts";
import { dayAfter, isDay, startOfDay } from "../../kernel/days.ts";
import { firstUuidAt, parsePublicId } from "../../kernel/ids.ts";
import { readTrail } from "../../trail/read-trail.ts";
import { type TrailEntry, trailIdPrefix } from "../../trail/trail.ts";
import type { TrailWords } from "../words/trail.ts";

type TrailKind = keyof TrailWords["kinds"];

/** What of the trail is wanted; as it stands in the address. */
export interface TrailFilter {
  readonly kind: TrailKind | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The id of an entry: only what is older. */
  readonly before: string | undefined;
}

const setSize = 200;
/** Entries that one page looks through for those it wants: the rest is a page further. */
const lookedAtMax = 1_000;

/** Undefined where something cannot be read. */
export function readFilter(query: URLSearchParams, words: TrailWords): TrailFilter | undefined {
  const given = (name: string) => query.get(name)?.trim() || undefined;
  const [kind, from, to, cursor] = ["kind", "from", "to", "before"].map(given);
  const before = cursor === undefined ? undefined : parsePublicId(trailIdPrefix, cursor);
  const isKind = kind === undefined || Object.hasOwn(words.kinds, kind);
  if (!isKind || [from, to].some((day) => day !== undefined && !isDay(day))) return undefined;
  if (cursor !== undefined && before === undefined) return undefined;
  return { kind: kind as TrailKind | undefined, from, to, before };
}

/** The company's entries that match, newest first, a set at a time; each set says how far it has looked. */
export async function* eachSet(
  database: Database,
  companyId: string,
  timeZone: string,
  { kind, from, to, before }: TrailFilter,
): AsyncGenerator<{ readonly entries: readonly TrailEntry[]; readonly last: string | undefined }> {
  const since = from === undefined ? undefined : startOfDay(from, timeZone);
  const end =
    to === undefined ? undefined : firstUuidAt(startOfDay(dayAfter(to), timeZone).getTime());
  let cursor = before ?? end;
  if (before !== undefined && end !== undefined && end < before) cursor = end;
  while (true) {
    const found = await readTrail(database, { companyId, since, before: cursor, limit: setSize });
    cursor = found.at(-1)?.id ?? cursor;
    const entries = found.filter(
      ({ action }) => kind === undefined || action.startsWith(`${kind}.`),
    );
    const isEnd = found.length < setSize;
    yield { entries, last: isEnd ? undefined : cursor };
    if (isEnd) return;
  }
}

/** A page of what matches. `older` is where the next one begins; undefined at the end of the trail. */
export async function findEntries(
  database: Database,
  companyId: string,
  timeZone: string,
  filter: TrailFilter,
  limit: number,
): Promise<{ readonly entries: readonly TrailEntry[]; readonly older: string | undefined }> {
  const entries: TrailEntry[] = [];
  let looked = 0;
  for await (const set of eachSet(database, companyId, timeZone, filter)) {
    entries.push(...set.entries);
    looked += setSize;
    if (entries.length > limit) {
      const page = entries.slice(0, limit);
      return { entries: page, older: page.at(-1)?.id };
    }
    if (set.last === undefined) return { entries, older: undefined };
    if (looked >= lookedAtMax) return { entries, older: set.last };
  }
  return { entries, older: undefined };
}
