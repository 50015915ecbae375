import { OperatorError } from "../kernel/operator-error.ts";
import { membershipsPerPersonMax, membersPerCompanyMax } from "./person.ts";

export class TooManyMembers extends OperatorError {
  constructor() {
    super(
      `A company has at most ${membersPerCompanyMax} people, and a person works for at most ${membershipsPerPersonMax} companies.`,
    );
  }
}

export class UnknownPerson extends OperatorError {
  constructor(email: string) {
    super(`Nobody has the address ${email}. See \`cauri staff list\`.`);
  }
}

export class NotAMember extends OperatorError {
  constructor(email: string) {
    super(`${email} does not work there. See \`cauri staff list\`.`);
  }
}

/** More people sign in at once than the service has memory for. */
export class TooBusyForPasswords extends OperatorError {
  constructor() {
    super("Too many passwords are being looked at. Try again in a moment.");
  }
}
