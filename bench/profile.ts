import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { SourceMap } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
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
      readonly columnNumber: number;
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
  const maps = new Map<string, SourceMap | undefined>();
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame, maps)]));
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

type Frame = CpuProfile["nodes"][number]["callFrame"];

function nameOf(frame: Frame, maps: Map<string, SourceMap | undefined>): string {
  const { file, line } = placeOf(frame, maps);
  return `${frame.functionName === "" ? "(anonymous)" : frame.functionName}  ${file === "" ? "" : `${file}:${line + 1}`}`;
}

/** In the sources, where what ran was bundled of them. */
function placeOf(
  { url, lineNumber, columnNumber }: Frame,
  maps: Map<string, SourceMap | undefined>,
): { readonly file: string; readonly line: number } {
  if (!maps.has(url)) maps.set(url, readMap(url));
  const entry = maps.get(url)?.findEntry(lineNumber, columnNumber);
  if (entry !== undefined && "originalSource" in entry) {
    const source = join(dirname(fileURLToPath(url)), entry.originalSource);
    return { file: shorten(source), line: entry.originalLine };
  }
  return { file: shorten(url), line: lineNumber };
}

function readMap(url: string): SourceMap | undefined {
  if (!url.startsWith("file:")) return undefined;
  const path = `${fileURLToPath(url)}.map`;
  return existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, "utf8"))) : undefined;
}

function shorten(path: string): string {
  return path
    .replace(/^.*\/(?:node_modules|dist)\//, "")
    .replace(/^\/.*?\/(?=(?:src|bench)\/)/, "");
}
