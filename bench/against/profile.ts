import { Database } from "../../src/database/database.ts";
import { describeCpu, describeStatements } from "../profile.ts";
import type { Watcher } from "./watcher.ts";

/** Where the service spends its time (a CPU profile) and PostgreSQL its own (pg_stat_statements). */
export function profiler(folder: string): Watcher {
  let url = "";
  let statements = "";
  let cpu = "";
  return {
    nodeOptions: ["--cpu-prof", `--cpu-prof-dir=${folder}`],
    start: async (postgres, database) => {
      url = postgres.urlOf(database);
      await postgres.inside(database, async (client) => {
        await client.query("create extension pg_stat_statements");
        await client.query("select pg_stat_statements_reset()");
      });
    },
    stop: async () => {
      const database = new Database({ url, poolSize: 1 });
      statements = await describeStatements(database);
      await database.close();
    },
    end: async () => {
      cpu = await describeCpu(folder);
    },
    describe: () => `statements\n${statements}\n\nservice, own time\n${cpu}`,
  };
}
