import { OperatorError } from "../kernel/operator-error.ts";

export class ArchiveExists extends OperatorError {
  constructor(path: string) {
    super(`${path} is already there. Name another file: a backup never replaces one.`);
  }
}

export class BackupUnderWay extends OperatorError {
  constructor(partial: string) {
    super(
      `${partial} is there: another backup is writing it, or one was killed. Name another file, or remove it if nobody is writing it.`,
    );
  }
}

export class FolderMissing extends OperatorError {
  constructor(folder: string) {
    super(`There is no folder ${folder} to write the backup to. Make it first.`);
  }
}

export class NoRoom extends OperatorError {
  constructor(path: string, options?: ErrorOptions) {
    super(
      `There is no room for the backup: ${path} could not be written to its end, and was removed. Make room, or name a file on another disk.`,
      options,
    );
  }
}

export class SchemaChanging extends OperatorError {
  constructor(options?: ErrorOptions) {
    super(
      "The database is being upgraded just now, so no backup was made. Try again when that is done.",
      options,
    );
  }
}

export class ArchiveUnreadable extends OperatorError {
  constructor(path: string, options?: ErrorOptions) {
    super(`${path} is not a file that can be read. Check the name and its permissions.`, options);
  }
}

/** It was cut, changed, or is something else. */
export class ArchiveDamaged extends OperatorError {
  constructor(path: string, what: string, options?: ErrorOptions) {
    super(
      `${path} is not a whole backup: ${what}. Nothing was restored from it; take another copy or another backup.`,
      options,
    );
  }
}

export class ArchiveTooNew extends OperatorError {
  constructor(path: string, what: string) {
    super(
      `${path} was made by a newer version of Cauri: ${what}. Nothing was restored; use that version.`,
    );
  }
}

export class ArchiveOfAnotherLine extends OperatorError {
  constructor(path: string, migration: string) {
    super(
      `${path} was made by a development version of Cauri: its migration ${migration} is not the one in this program. Nothing was restored; use that version.`,
    );
  }
}

export class ArchiveOfOtherKind extends OperatorError {
  constructor(path: string, recorded: string, given: string) {
    super(
      `${path} is of a ${recorded} database, and CAURI_ENV says ${given}. Nothing was restored; set CAURI_ENV=${recorded}.`,
    );
  }
}

export class ArchiveNeedsMasterKey extends OperatorError {
  constructor(
    path: string,
    keys: {
      readonly needed: readonly string[];
      readonly given: readonly string[];
      readonly file: string;
    },
  ) {
    const given =
      keys.given.length === 0 ? "no master key was given" : `${keys.given.join(", ")} was given`;
    super(
      `The secrets in ${path} are sealed with the master key ${keys.needed.join(" and ")} (its fingerprint), and ${given}. Nothing was restored. ` +
        `Set MASTER_KEY, or put the key that was kept apart into ${keys.file}. If it is lost for good, give --without-master-key, and run \`cauri master-key replace\` afterwards.`,
    );
  }
}

export class RestoredBooksWrong extends OperatorError {
  constructor(path: string, differences: readonly string[], isRemoved: boolean) {
    super(
      [
        `The books in ${path} are not in order, so they were not restored${isRemoved ? "" : ". The database cannot be used; make it anew"}:`,
        ...differences.map((difference) => `  ${difference}`),
      ].join("\n"),
    );
  }
}
