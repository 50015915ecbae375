import { OperatorError } from "../kernel/operator-error.ts";

/** The service understood and said no; its own sentence says what to do. */
export class ServiceRefused extends OperatorError {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(`The service refuses it (${status} ${code}): ${message}`);
    this.status = status;
    this.code = code;
  }
}

/** No answer, or none that means anything, for longer than anybody should wait. */
export class ServiceUnreachable extends OperatorError {
  constructor(url: string, why: string, options?: ErrorOptions) {
    super(
      `The service at ${url} does not answer as it should (${why}). Run the command again later: nobody is paid twice.`,
      options,
    );
  }
}

export class NotTheService extends OperatorError {
  constructor(url: string) {
    super(`What answers at ${url} is not this service, or an older release of it. Check --url.`);
  }
}

/** A plan lies beside the file, and it is not of this file. */
export class FileChanged extends OperatorError {
  constructor(planPath: string, sentCount: number, count: number, startedAt: string) {
    super(
      `A file of this name was paid on ${startedAt.slice(0, 10)}, ${sentCount} of ${count} rows, and it has been changed since (${planPath}). ` +
        "Who stands in both would be paid twice. For people who were left out, make a new file of their rows alone; if this is another payroll, add --new.",
    );
  }
}

export class PaidByAnother extends OperatorError {
  constructor(companyId: string, startedAt: string) {
    super(
      `This very file was paid by another account (${companyId}) on ${startedAt.slice(0, 10)}. Nothing was sent; if it shall be paid by this one too, add --new.`,
    );
  }
}

export class PlanUnreadable extends OperatorError {
  constructor(path: string, options?: ErrorOptions) {
    super(`${path} is damaged. Move it away: what was sent is known to the service too.`, options);
  }
}

export class FileChangedMeanwhile extends OperatorError {
  constructor(path: string) {
    super(
      `${path} was changed while it was paid. What was sent stays sent, and what became of each row is not written down yet: put the file back as it was and run the command again. Nobody is paid twice.`,
    );
  }
}

export class NotAnOutcomeFile extends OperatorError {
  constructor(path: string) {
    super(
      `${path} is not an outcome file: it needs the columns id, status and reason (in French: id, statut, motif_echec) that payout import writes.`,
    );
  }
}

export class NoSuchTemplate extends OperatorError {
  constructor(path: string) {
    super(
      `A template is .csv or .xlsx, and ${path} is neither. Nothing was written; give another --output.`,
    );
  }
}
