/** Control characters: what the database cannot hold, and what nobody can see. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for.
const controls = /[\u0000-\u001f\u007f-\u009f]/;

/** Whether a line of text has something in it that cannot be kept or seen. */
export function isUnwritable(text: string): boolean {
  return controls.test(text);
}
