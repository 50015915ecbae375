import { setTimeout as sleep } from "node:timers/promises";
import { Pair } from "../failover/pair.ts";
import { inFolder } from "../in-folder.ts";
import type { Campaign, PartReport } from "../part.ts";
import { untilReady } from "../until-ready.ts";
import { acknowledgeRows, countLost } from "./forgetful-session.ts";
import { Load } from "./load.ts";
import { Production } from "./production.ts";

const acknowledgedLeast = 100;
const loadMs = 1_500;
const recoveryLimitMs = 60_000;
const withoutStandby = 'cauri_database_not_durable{setting="synchronous_standby_names"}';

/**
 * A primary whose settings do not wait for the standby. The standby dies first and the primary a moment later, and the standby takes
 * over: whatever the primary had acknowledged alone is lost with it.
 */
export function killPrimary({ scale, progress }: Campaign): Promise<PartReport> {
  const values = scale === "short" ? ["local"] : ["local", "remote_write", "off", "on"];
  return inFolder(async (folder) => {
    const counts = { "primaries lost for good": 0, "acknowledged by them": 0 };
    const findings: string[] = [];
    for (const value of values) {
      progress(`a standby takes over, synchronous_commit = ${value}`);
      const { acknowledged, found } = await loseBoth(`${folder}/${value}`, value);
      counts["primaries lost for good"] += 1;
      counts["acknowledged by them"] += acknowledged;
      findings.push(...found.map((finding) => `a pair, synchronous_commit = ${value}: ${finding}`));
    }
    return { counts, findings };
  });
}

async function loseBoth(folder: string, value: string) {
  const pair = await Pair.make(folder);
  const service = new Production(`${folder}/service`, pair.url);
  const found: string[] = [];
  try {
    await pair.primary.ask(`alter system set synchronous_commit = ${value}`);
    await pair.primary.ask("select pg_reload_conf()");
    await service.start();
    const token = await service.makeCompany();
    const load = new Load(service.url, token, "pair");
    await load.reach(acknowledgedLeast);
    await pair.standby.kill();
    const isForgetful = value !== "on" && value !== "remote_write";
    const forgotten = isForgetful ? await acknowledgeRows(pair.urlOf(pair.primary)) : 0;
    await sleep(loadMs);
    found.push(...(await service.untilMetric(withoutStandby, "0")));
    await pair.primary.kill();
    await pair.standby.start({ hot_standby: "on" });
    await pair.promote();
    await load.stop();
    found.push(...(await untilReady(service.url, recoveryLimitMs)));

    const there = await service.readReferences();
    const lost = load.acknowledged.filter((reference) => !there.has(reference));
    if (load.acknowledged.length === 0) found.push(`nothing was acknowledged: ${load.refusal}`);
    if (lost.length > 0)
      found.push(`${lost.length} of ${load.acknowledged.length} acknowledged transfers are lost`);
    if (isForgetful && (await countLost(pair.urlOf(pair.primary), forgotten)) === 0)
      found.push("a session that takes no precaution lost nothing: this shows nothing");

    // The one that took over has no standby: whoever is at work goes on and says so, and nobody begins there.
    found.push(...(await service.untilMetric(withoutStandby, "1")));
    const begun = await service.command(["migrate"]);
    if (begun.code === 0 || !begun.stderr.includes("synchronous_standby_names is empty"))
      found.push(`a start without a standby was not refused: ${begun.stdout} ${begun.stderr}`);
    const { code, stdout, stderr } = await service.command(["audit", "--full", "--json"]);
    if (code !== 0) found.push(`the audit says: ${stdout} ${stderr}`);
    return { acknowledged: load.acknowledged.length, found };
  } finally {
    await service.stop();
    await pair.stop();
  }
}
