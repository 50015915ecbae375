import { type Config, connectionsLeast } from "../config.ts";

type Limits = Pick<
  Config,
  "databasePoolSize" | "requestsMax" | "bodyBytesMax" | "authFailuresPerMinute"
>;

/**
 * What one of several processes may have of what the settings say for the node: together they have as much as one. How many
 * requests a second a company may send is not divided: its connections may all have come to one process.
 */
export function divideLimits(limits: Limits, processes: number, place: number): Limits {
  const part = (whole: number, least: number) =>
    Math.max(least, Math.floor(whole / processes) + (place < whole % processes ? 1 : 0));
  return {
    databasePoolSize: part(limits.databasePoolSize, connectionsLeast),
    // 0: as many as come.
    requestsMax: limits.requestsMax === 0 ? 0 : part(limits.requestsMax, 1),
    bodyBytesMax: part(limits.bodyBytesMax, 1),
    authFailuresPerMinute: part(limits.authFailuresPerMinute, 1),
  };
}
