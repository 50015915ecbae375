import { setTimeout as sleep } from "node:timers/promises";
import { stop } from "../stall/stop.ts";
import { type DatabaseFault, pauseMs } from "./base.ts";

/** Runs one statement as a superuser, at every server that has connections of the service. */
export type Administer = <Row extends object>(statement: string) => Promise<Row[]>;

const ofServices = "from pg_stat_activity where application_name like 'cauri:%'";

/** What can happen to the processes of PostgreSQL that serve connections; of several servers, to those of all. */
export function backendFaults(administer: Administer): readonly DatabaseFault[] {
  return [
    {
      name: "connections are ended",
      async inflict() {
        await administer(`select pg_terminate_backend(pid) ${ofServices}`);
      },
    },
    {
      name: "backends stand still",
      async inflict(random) {
        const rows = await administer<{ pid: number }>(`select pid ${ofServices}`);
        const chosen = random.shuffle(rows).slice(0, Math.ceil(rows.length / 2));
        const goOn = chosen.map(({ pid }) => stop(pid));
        await sleep(pauseMs(random));
        for (const thaw of goOn) await thaw?.();
      },
    },
  ];
}
