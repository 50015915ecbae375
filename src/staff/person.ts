import type { Language } from "../kernel/language.ts";
import { normalized } from "../kernel/normalized.ts";
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

const localShape = /^[^\s@<>"',;:()[\]\\]+$/;
const domainShape = /^[a-z0-9][a-z0-9.-]*$/;
const topDomainShape = /[a-z0-9]\.[a-z]+$/;
const emailMax = 254;
const localMax = 64;

/** As it is kept and compared: in lower case. Undefined when it cannot be an address. */
export function readEmail(text: string): string | undefined {
  const email = normalized(text.trim(), "NFC").toLowerCase();
  return email.length <= emailMax && isAddress(email) ? email : undefined;
}

function isAddress(email: string): boolean {
  const at = email.indexOf("@");
  const [local, domain] = [email.slice(0, Math.max(0, at)), email.slice(at + 1)];
  const top = domain.slice(domain.lastIndexOf(".") + 1);
  return (
    local.length <= localMax &&
    localShape.test(local) &&
    domainShape.test(domain) &&
    topDomainShape.test(domain) &&
    top.length >= 2 &&
    top.length <= 63 &&
    !email.includes("..")
  );
}
