import { toVisible } from "../kernel/visible.ts";

/**
 * As a shell takes it for one word. Whatever stands in a command that somebody is told to run goes through here: what a service
 * calls an id may be made to be run.
 */
export function quoted(text: string): string {
  const word = toVisible(text);
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
