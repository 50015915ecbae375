/**
 * Settings of PostgreSQL without which something it has acknowledged can be lost: with the process or the machine, or of several
 * servers with the one that fails.
 */
export const durabilityNames = [
  "fsync",
  "full_page_writes",
  "synchronous_commit",
  "synchronous_standby_names",
] as const;
export type DurabilityName = (typeof durabilityNames)[number];

/** The setting of ours by which an operator accepts one of these losses. */
export const lossesSetting = "PAYMENTS_MAY_BE_LOST_WITHOUT";
/** What can be accepted: a session asks for commits that wait whatever the server's settings are. */
export const acceptableLosses = durabilityNames.filter((name) => name !== "synchronous_commit");
