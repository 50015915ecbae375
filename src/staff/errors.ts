import { OperatorError } from "../kernel/operator-error.ts";
import { membershipsPerPersonMax, membersPerCompanyMax } from "./person.ts";

export class TooManyMembers extends OperatorError {
  constructor() {
    super(
      `A company has at most ${membersPerCompanyMax} people, and a person works for at most ${membershipsPerPersonMax} companies.`,
    );
  }
}
