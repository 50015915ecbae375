/** A phone number as callers may write it: digits with country code, a leading + or none. */
export const msisdnPattern = "^\\+?[0-9]{8,15}$";

const shape = new RegExp(msisdnPattern);

export function isMsisdn(text: string): boolean {
  return shape.test(text);
}

/** Stored and matched as digits, so that +225… and 225… are one person. */
export function toDigits(msisdn: string): string {
  return msisdn.startsWith("+") ? msisdn.slice(1) : msisdn;
}

/** For logs and pages: enough to recognise one's own number, not enough to learn another's. */
export function maskMsisdn(digits: string): string {
  return "*".repeat(Math.max(0, digits.length - 2)) + digits.slice(-2);
}
