import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { whole } from "./report.ts";

const linesShown = 25;

/** What PostgreSQL needs to count its statements. */
export const countingSettings = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track": "all",
};

interface Statement {
  readonly calls: number;
  readonly total_ms: number;
  readonly rows: number;
  readonly query: string;
}

/** The statements of this database that took most time, those inside of functions too. */
export async function describeStatements(database: Database): Promise<string> {
  const statements = await database.query<Statement>(sql`
    select calls, total_exec_time::float8 as total_ms, rows, query from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
    order by total_exec_time desc limit ${linesShown}`);
  return statements
    .map(({ calls, total_ms, rows, query }) => {
      const mean = (total_ms / calls).toFixed(3);
      const text = query.replaceAll(/\s+/g, " ").slice(0, 110);
      return `${whole(total_ms).padStart(8)} ms ${whole(calls).padStart(8)} × ${mean.padStart(8)} ms ${whole(rows).padStart(9)} rows  ${text}`;
    })
    .join("\n");
}

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The functions in which the service under test spent its time, waiting left out. */
export async function describeCpu(folder: string): Promise<string> {
  const [name] = (await readdir(folder)).filter((file) => file.endsWith(".cpuprofile"));
  if (name === undefined) return "no profile was written";
  const profile = JSON.parse(await readFile(join(folder, name), "utf8")) as CpuProfile;
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const spent = new Map<string, number>();
  let busy = 0;
  for (const [place, id] of profile.samples.entries()) {
    const what = names.get(id) ?? "";
    const micros = profile.timeDeltas[place] ?? 0;
    if (what.startsWith("(idle)")) continue;
    busy += micros;
    spent.set(what, (spent.get(what) ?? 0) + micros);
  }
  return [...spent]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, linesShown)
    .map(([what, micros]) => `${((100 * micros) / busy).toFixed(1).padStart(5)} %  ${what}`)
    .join("\n");
}

function nameOf({
  functionName,
  url,
  lineNumber,
}: CpuProfile["nodes"][number]["callFrame"]): string {
  const file = url.replace(/^.*\/(?:node_modules|dist)\//, "");
  return `${functionName === "" ? "(anonymous)" : functionName}  ${file === "" ? "" : `${file}:${lineNumber + 1}`}`;
}
