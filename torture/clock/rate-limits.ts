import { setTimeout as sleep } from "node:timers/promises";
import type { PartReport } from "../part.ts";
import { Client } from "../traffic/client.ts";
import type { Disagreement } from "./clock.ts";
import { WrongClock } from "./wrong-clock.ts";

const hourMs = 3_600_000;
const rateLimitPerSecond = 5;
const requests = 30;
/** Far from the hour for which a caller would wait if the window stood still, and long enough for a machine that is slow. */
const forgivenLimitMs = 60_000;
const pollMs = 250;
const answerLimitMs = 60_000;

/** Whoever was over a limit is let in again after its window, also when the clock steps back inside it. */
export async function attackRateLimits(scene: Disagreement): Promise<PartReport> {
  const { place, company } = scene;
  const settings = { ROLES: "api", RATE_LIMIT_PER_SECOND: String(rateLimitPerSecond) };
  const service = await WrongClock.start(place, 0, settings);
  const { accessToken: token } = company;
  const client = new Client({ token, url: () => service.url, answerLimitMs });
  const ask = () => client.send({ method: "GET", path: "/v1/balance" });
  const answers = await Promise.all(Array.from({ length: requests }, ask));
  const refused = answers.filter((answer) => answer.kind === "refused" && answer.status === 429);
  await service.jumpTo(-hourMs);

  const findings: string[] = [];
  const deadline = performance.now() + forgivenLimitMs;
  for (;;) {
    const answer = await ask();
    if (answer.kind === "ok") break;
    if (performance.now() > deadline) {
      findings.push("after the clock stepped back, a caller over its limit is never let in again");
      break;
    }
    await sleep(pollMs);
  }
  await client.close();
  return { counts: { "requests over a limit": refused.length }, findings };
}
