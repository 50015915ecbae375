import { chmod } from "node:fs/promises";
import { PatroniCluster } from "../patroni/cluster.ts";
import { faults } from "../patroni/faults.ts";
import type { OnBase } from "./base.ts";

const { killNode, killPostgres, freezeNode, switchOver, freezeEtcd, isolate } = faults;

/** The cluster of deploy/ha: three servers under Patroni, two of which confirm every commit. */
export const onPatroni: OnBase = async (folder, work) => {
  // The account that PostgreSQL runs as passes through it.
  await chmod(folder, 0o711);
  const cluster = await PatroniCluster.start(`${folder}/cluster`);
  if (typeof cluster === "string") return cluster;
  // The part has faults of its own for the services.
  const scene = { cluster, killService: async () => {} };
  try {
    return await work({
      url: cluster.url,
      faults: [killNode, killPostgres, freezeNode, switchOver, freezeEtcd, isolate].map(
        (fault) => ({
          name: fault.name,
          async inflict() {
            await fault.inflict(scene);
            await cluster.untilWell();
          },
        }),
      ),
    });
  } finally {
    await cluster.stop();
  }
};
