import type { Language } from "../kernel/language.ts";
import type { CompanyRole } from "./roles.ts";

export const personIdPrefix = "per";

/** Somebody who works with the console. */
export interface Person {
  readonly id: string;
  readonly email: string;
  /** Has chosen a password by a link, and can sign in. */
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  readonly isOperator: boolean;
  /** Chosen by hand; undefined: as the browser asks for. */
  readonly language: Language | undefined;
  readonly createdAt: Date;
}

export interface Membership {
  readonly companyId: string;
  readonly role: CompanyRole;
}

/** For how many companies one person may work: what is told to each of them stays a handful of rows. */
export const membershipsPerPersonMax = 50;
/** How many people a company may have. */
export const membersPerCompanyMax = 200;

const emailShape = /^[^\s@<>"',;:()[\]\\]{1,64}@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\.[a-z]{2,63}$/;
const emailMax = 254;

/** As it is kept and compared: in lower case. Undefined when it cannot be an address. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().normalize("NFC").toLowerCase();
  return email.length <= emailMax && emailShape.test(email) && !email.includes("..")
    ? email
    : undefined;
}
