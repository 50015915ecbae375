/** Six digits, however they were grouped; undefined when it cannot be a code, which costs no try. */
export function readCode(typed: string): string | undefined {
  const text = typed.replaceAll(/[\s.-]/g, "");
  return /^[0-9]{6}$/.test(text) ? text : undefined;
}
