/** Rolls a payment back because another submit of the same code was faster; the page shows what that one did. */
export class CodeTaken extends Error {}

/** A file to verify that is larger than the page takes. */
export class FileTooLarge extends Error {}
