import { type DurabilityName, durabilityNames, lossesSetting } from "../kernel/durability-names.ts";
import { UnusableServer } from "./errors.ts";
import { sql } from "./sql.ts";

/** What a server says in answer to `durabilityColumns`. */
export type DurabilityValues = Readonly<Record<DurabilityName, string>>;

/**
 * Asking for them makes this session's commits wait for the disk, and for a standby where there is one, whatever was set for
 * the server, the database, the role or in the address. More than that (remote_apply) is left as it is.
 */
export const durabilityColumns = sql`
  current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
  current_setting('synchronous_standby_names') as synchronous_standby_names,
  case when current_setting('synchronous_commit') in ('on', 'remote_apply')
    then current_setting('synchronous_commit')
    else set_config('synchronous_commit', 'on', false) end as synchronous_commit`;

interface DurabilityOptions {
  /** Production: a server that may lose what it acknowledged is not used. */
  readonly isRequired: boolean;
  /** What may be lacking all the same. */
  readonly accepted?: ReadonlySet<DurabilityName> | undefined;
  /** Of several servers, whether one without a synchronous standby is refused now: at a start. */
  readonly needsStandby?: boolean;
}

/** What is asked of a server's settings, and what the one that was seen last lacks. */
export class Durability {
  readonly #isRequired: boolean;
  readonly #accepted: ReadonlySet<DurabilityName>;
  /**
   * A primary that was promoted a moment ago may have no standby yet, and a service that is at work is more use than one that
   * refuses: then there is an alert.
   */
  needsStandby: boolean;
  #lacking: readonly DurabilityName[] = [];

  constructor({ isRequired, accepted = new Set(), needsStandby = false }: DurabilityOptions) {
    this.#isRequired = isRequired;
    this.#accepted = accepted;
    this.needsStandby = needsStandby;
  }

  /** What is watched: all but what was accepted. */
  get watched(): readonly DurabilityName[] {
    return durabilityNames.filter((name) => !this.#accepted.has(name));
  }

  /** Of what is watched, as it was seen last. */
  get lacking(): readonly DurabilityName[] {
    return this.#lacking;
  }

  see(values: DurabilityValues, serverCount: number): void {
    this.#lacking = this.watched.filter((name) => isLacking(name, values, serverCount));
  }

  /** Why a server with these settings must not be used; undefined: it may be. */
  problemWith(values: DurabilityValues, serverCount: number): string | undefined {
    this.see(values, serverCount);
    if (!this.#isRequired) return undefined;
    const grave = this.#lacking.filter(
      (name) => name !== "synchronous_standby_names" || this.needsStandby,
    );
    if (grave.length === 0) return undefined;
    const found = grave.map((name) => `${name} is ${values[name] || "empty"}`);
    return `may lose payments that it has acknowledged: ${found.join(", ")}. Change that in its configuration (docs/production.md), or accept the loss by ${lossesSetting}=${grave.join(",")}`;
  }
}

/** A server that takes writes and may forget them. */
export class NotDurable extends UnusableServer {
  constructor(name: string, problem: string) {
    super(name, problem, { isGrave: true });
  }
}

function isLacking(name: DurabilityName, values: DurabilityValues, serverCount: number): boolean {
  const value = values[name];
  if (name === "synchronous_standby_names") return serverCount > 1 && value.trim() === "";
  return name === "synchronous_commit"
    ? value !== "on" && value !== "remote_apply"
    : value !== "on";
}
