import { setTimeout as sleep } from "node:timers/promises";
import { Pair } from "../failover/pair.ts";
import { backendFaults } from "./backends.ts";
import type { OnBase } from "./base.ts";

/** Somebody has to notice that the primary is away, and to decide. */
const managerPauseMs = 500;

/** A primary and a standby that confirms every commit and takes over. */
export const onPair: OnBase = async (folder, work) => {
  const pair = await Pair.make(folder);
  const takeOver = async (away: () => Promise<void>, after: () => void = () => {}) => {
    await away();
    await sleep(managerPauseMs);
    await pair.promote();
    await sleep(managerPauseMs);
    after();
    await pair.rebuildStandby();
  };
  try {
    return await work({
      url: pair.url,
      faults: [
        ...backendFaults((statement) => pair.primary.ask(statement)),
        {
          name: "the primary is killed and the standby takes over",
          inflict: () => takeOver(() => pair.primary.kill()),
        },
        {
          name: "the primary is stopped and the standby takes over",
          inflict: () => takeOver(() => pair.primary.stop()),
        },
        {
          name: "the primary stands still, the standby takes over, and it wakes up",
          async inflict() {
            const old = pair.primary;
            await takeOver(
              () => old.freeze(),
              () => old.thaw(),
            );
          },
        },
      ],
    });
  } finally {
    await pair.stop();
  }
};
