/** Rolls a payment back because another submit of the same code was faster; the page shows what that one did. */
export class CodeTaken extends Error {}
