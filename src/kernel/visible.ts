/** Controls, marks of direction and line ends: what a terminal obeys, or hides, instead of showing it. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A text of others as it can be shown on a terminal: a name cannot move the cursor, colour a line, end one, or turn
 * what follows it around.
 */
export function toVisible(text: string): string {
  return text.replaceAll(unseen, escapeCharacter);
}

/** The same for a text of several lines. */
export function toVisibleLines(text: string): string {
  return text.split("\n").map(toVisible).join("\n");
}

/** One JSON value on one line; what JSON itself leaves as it is gets escaped too, and means the same. */
export function toVisibleJson(value: unknown): string {
  return toVisible(JSON.stringify(value));
}

function escapeCharacter(character: string): string {
  // By UTF-16 units, as JSON has it: a character beyond the first plane is two of them.
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}
