import { sql } from "../../src/database/sql.ts";
import { ledgerKeyOf } from "../../src/statements/seal.ts";
import { onPlace } from "../ground.ts";
import { inFolder } from "../in-folder.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import type { Attack, Tool } from "./attack.ts";
import { attacks } from "./attacks.ts";
import { Copies } from "./copies.ts";
import { goOn, setClock } from "./go-on.ts";
import { judge, type Noticed } from "./judge.ts";
import { forgeFiles } from "./judge-files.ts";
import { type ForgeTown, makeForgeTown, onDatabase } from "./town.ts";

const insidersKey = ledgerKeyOf(Buffer.alloc(32, 66));
/** A run of the tests makes so many of the forgeries, others each time. */
const fewAttacks = 5;
const moments = ["now", "later"] as const;
type Moment = (typeof moments)[number];

export const forge: Part = {
  name: "forge",
  promises:
    "Whoever owns the database and has no master key forges nothing of a sealed day, nor of a signed file, without somebody noticing.",
  run: (campaign) => onPlace({}, ({ databaseUrl }) => forgeWith(campaign, databaseUrl)),
};

/** On a server, in databases of its own. */
export async function forgeWith(campaign: Campaign, server: string): Promise<PartReport> {
  const copies = new Copies(server);
  try {
    return await inFolder((folder) => forgeIn(campaign, copies, folder));
  } finally {
    await copies.dropAll();
  }
}

async function forgeIn(
  { random, scale, deadline, progress }: Campaign,
  copies: Copies,
  folder: string,
): Promise<PartReport> {
  progress("making a town with two sealed days");
  const town = await makeForgeTown(copies, folder);
  progress("files");
  const files = await forgeFiles(town, copies, folder, insidersKey);
  const findings = [...files.findings];
  const chosen = scale === "full" ? attacks : random.shuffle(attacks).slice(0, fewAttacks);
  let made = 0;
  for (const attack of [untouched, ...chosen]) {
    if (deadline.aborted) break;
    progress(attack.name);
    const judgeAt = async (moment: Moment) => {
      const noticed = await forgeOnce(town, copies, folder, attack, moment);
      findings.push(...compare(attack, moment, noticed));
    };
    await Promise.all(moments.map(judgeAt));
    if (attack !== untouched) made += 1;
  }
  return { counts: { forgeries: made, files: files.made }, findings };
}

/** Nothing: what is in order is called so, at once and a day later. */
const untouched: Attack = {
  name: "nothing",
  forge: async () => {},
  noticed: { now: [], later: [] },
};

async function forgeOnce(
  town: ForgeTown,
  copies: Copies,
  folder: string,
  { forge: make, onFirstDay, reader = 0 }: Attack,
  moment: Moment,
): Promise<Noticed> {
  const { companies, firstDay, now } = town;
  const url = await copies.make(onFirstDay === true ? firstDay : now);
  try {
    // On connections of its own: what an insider leaves on one is not what is judged.
    await onDatabase(url, async (database) => {
      await setClock(database, "-1 hour");
      await database.transaction(async (tx) => {
        await tx.query(sql`set local session_replication_role = replica`);
        await make({ tx, companies, own: insidersKey });
      });
    });
    return await onDatabase(url, async (database) => {
      if (moment === "later") await goOn(town, database);
      return judge(town, { database, url, readerOf: companies[reader], folder });
    });
  } finally {
    await copies.drop(url);
  }
}

/** Who has to notice it, and who did. */
function compare({ name, noticed }: Attack, moment: Moment, found: Noticed): string[] {
  const when = moment === "now" ? "at once" : "a day later";
  if (noticed.now.length > 0 && found.size === 0) return [`nobody notices ${when}: ${name}`];
  const missing = noticed[moment].filter((tool) => !found.has(tool));
  const more = [...found.keys()].filter((tool) => !noticed[moment].includes(tool));
  return [
    ...missing.map((tool) => `${tool} does not notice ${when}: ${name}`),
    ...more.map(
      (tool: Tool) => `${tool} notices ${when}, and is not said to: ${name}: ${found.get(tool)}`,
    ),
  ];
}
