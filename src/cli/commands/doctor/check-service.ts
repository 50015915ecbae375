import type { GetCompanyAnswer } from "@cauri/sdk";
import { version } from "../../../kernel/version.ts";
import { callService } from "../../call-service.ts";
import { type Check, ok, problem, skipped, warning } from "../../check.ts";
import { CallFailed } from "../../errors.ts";
import { profileDefault } from "../../profiles.ts";
import type { Client } from "../../read-client.ts";

/** As far as receivers of notifications tolerate it, and where it begins to be strange. */
const clockMaxMs = 5 * 60_000;
const clockOddMs = 30_000;
const slowMs = 2_000;

/** What one request tells: who we are, where, how long it took, and what time it is there. */
export async function checkService(client: Client): Promise<Check[]> {
  const seen: { latencyMs?: number; date?: string | null; atMs?: number } = {};
  const watching: typeof fetch = async (input, init) => {
    const startedMs = performance.now();
    const response = await fetch(input, init);
    seen.latencyMs = performance.now() - startedMs;
    seen.date = response.headers.get("date");
    // The date was written about half-way between asking and hearing.
    seen.atMs = Date.now() - seen.latencyMs / 2;
    return response;
  };
  const clock = () => checkClock(seen.date, seen.atMs);
  try {
    return await callService(client, { fetch: watching }, async (cauri) => {
      const company = await cauri.company({ retries: 0 });
      return [
        toTokenCheck(client, company),
        toEnvironmentCheck(company.service),
        toVersionCheck(company.service),
        toLatencyCheck(seen.latencyMs ?? 0),
        clock(),
      ];
    });
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const [said = "", ...advice] = error.message.split("\n");
    const isAnswered = seen.date !== undefined;
    return [
      problem("token", said, advice.join(" ") || "Mend what is wrong above, and look again."),
      skipped("environment", "only a token that is good tells"),
      isAnswered ? clock() : skipped("clock", "no answer to compare it with"),
    ];
  }
}

function toTokenCheck({ profile }: Client, { name, id }: GetCompanyAnswer): Check {
  const from =
    profile === undefined
      ? "of CAURI_TOKEN"
      : `of \`cauri login\`${profile === profileDefault ? "" : ` --profile ${profile}`}`;
  return ok("token", `${name} (${id}), ${from}`);
}

/** A service of an earlier release tells nothing of itself. */
type Told = GetCompanyAnswer["service"] | undefined;

function toEnvironmentCheck(service: Told): Check {
  if (service === undefined)
    return warning("environment", "the service does not tell it", "It is of an earlier release.");
  return service.environment === "production"
    ? ok("environment", "production: money is real")
    : ok("environment", "staging: no money is real");
}

function toVersionCheck(service: Told): Check {
  if (service?.version === version) return ok("version", `${version}, here and there`);
  return warning(
    "version",
    `this command is ${version}, the service is ${service?.version ?? "older"}`,
    "Use the command of the service's release; what is new on one side is missing on the other.",
  );
}

function toLatencyCheck(latencyMs: number): Check {
  const message = `an answer takes ${Math.round(latencyMs)} ms`;
  return latencyMs > slowMs
    ? warning(
        "latency",
        message,
        "Requests may time out: raise CAURI_TIMEOUT_MS, look at the network.",
      )
    : ok("latency", message);
}

function checkClock(date: string | null | undefined, atMs = Date.now()): Check {
  const thereMs = Date.parse(date ?? "");
  if (Number.isNaN(thereMs)) return skipped("clock", "the service does not tell the time");
  // The header has whole seconds, so it is half of one behind on average.
  const offMs = atMs - (thereMs + 500);
  const seconds = Math.round(Math.abs(offMs) / 1_000);
  const message = `this machine is ${seconds} s ${offMs > 0 ? "ahead of" : "behind"} the service`;
  if (Math.abs(offMs) > clockMaxMs)
    return problem(
      "clock",
      message,
      "Notifications are refused as too old or too new beyond 5 minutes: set this machine's clock (NTP).",
    );
  if (Math.abs(offMs) > clockOddMs)
    return warning("clock", message, "Set this machine's clock (NTP) before it is 5 minutes off.");
  return ok("clock", seconds <= 1 ? "this machine and the service agree" : message);
}
