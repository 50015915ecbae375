import type { Part, PartReport } from "../part.ts";
import { killPrimary } from "./kill-primary.ts";
import { killServer } from "./kill-server.ts";

export const durable: Part = {
  name: "durable",
  promises:
    "PostgreSQL is killed under load in every configuration that production accepts: nothing that was acknowledged is lost. Where something could be lost, production does not start.",
  async run(campaign): Promise<PartReport> {
    const reports = [await killServer(campaign), await killPrimary(campaign)];
    return {
      counts: Object.assign({}, ...reports.map(({ counts }) => counts)) as Record<string, number>,
      findings: reports.flatMap(({ findings }) => findings),
    };
  },
};
