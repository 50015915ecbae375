import type { Part } from "../part.ts";
import { fillDisk } from "./fill-disk.ts";
import { forbidWriting } from "./forbid-writing.ts";

export const disk: Part = {
  name: "disk",
  promises:
    "A disk that is full and a database that may only be read: clear errors, nothing half-written, and everything goes on by itself afterwards.",
  async run(campaign) {
    const reports = [await forbidWriting(campaign), await fillDisk(campaign)];
    return {
      counts: Object.assign({}, ...reports.map(({ counts }) => counts)) as Record<string, number>,
      findings: reports.flatMap(({ findings }) => findings),
    };
  },
};
