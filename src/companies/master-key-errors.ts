import { OperatorError } from "../kernel/operator-error.ts";

export class DamagedMasterKey extends OperatorError {
  constructor(path: string) {
    super(`${path} does not hold 32 bytes in base64; restore it from a backup.`);
  }
}

export class DamagedPurposeKey extends OperatorError {
  constructor(purpose: string) {
    super(
      `The sealed key "${purpose}" in purpose_keys was changed: the master key fits this database and does not open it. Find out who wrote there, and restore that row from a backup.`,
    );
  }
}

/** What the master keys at hand do not open: live signing secrets, and whose they are. */
export interface Unopened {
  readonly secrets: number;
  readonly companies: number;
  /** The first of them, as a person calls them. */
  readonly names: readonly string[];
}

const ifLost =
  "If it is lost for good, `cauri master-key replace` gives these companies new signing secrets; nothing else is lost.";

/** There is no key at all, and this database has had one. */
export class MasterKeyMissing extends OperatorError {
  constructor(path: string, unopened: Unopened) {
    super(
      `The master key of this database is missing: ${describeUnopened(unopened)} Set MASTER_KEY, or put ${path} back from its backup. ${ifLost}`,
    );
  }
}

export class WrongMasterKey extends OperatorError {
  constructor(
    given: readonly string[],
    vault: { readonly master_key: string; readonly retiring_key: string | null } | undefined,
    unopened: Unopened,
  ) {
    const needed = [vault?.master_key, vault?.retiring_key].filter((key) => key != null);
    const other = needed.length === 0 ? "another" : needed.join(" and ");
    super(
      `The master key does not fit this database: given is ${given.join(", ")}, needed is ${other} (fingerprints). ` +
        `${describeUnopened(unopened)} Use the MASTER_KEY (or restore the master.key file) that this database was made with. ${ifLost}`,
    );
  }
}

function describeUnopened({ secrets, companies, names }: Unopened): string {
  if (secrets === 0) return "No signing secret is concerned.";
  const more = companies > names.length ? ` and ${companies - names.length} more` : "";
  return `${secrets} signing secret${secrets === 1 ? "" : "s"} of ${companies} ${companies === 1 ? "company" : "companies"} cannot be opened: ${names.join(", ")}${more}.`;
}

export class NoOtherMasterKey extends OperatorError {
  constructor() {
    super(
      "There is no other master key to change to. Make one (openssl rand -base64 32), give every node and this command MASTER_KEY=<new>,<old>, then run this again.",
    );
  }
}

export class RotationUnfinished extends OperatorError {
  constructor(target: string) {
    super(
      `The change to the master key ${target} (its fingerprint) is not finished: run this with that key as the first one, then change again.`,
    );
  }
}

export class NothingLost extends OperatorError {
  constructor() {
    super("Every signing secret can be opened: nothing has to be replaced.");
  }
}
