/**
 * Characters that are obeyed, or leave no trace, instead of being shown: controls, marks of direction, line ends of their own,
 * joiners and fillers without width, selectors of variants, letters of private use, halves of characters.
 *
 * Two belong to emoji and are let through there: the joiner between two of them, and the selector after one.
 */
const unseenCharacters =
  "[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Co}\\p{Cs}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\uffa0\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]";
const unseen = new RegExp(unseenCharacters, "gu");
const joiner = "\u200d";
const selector = "\ufe0f";
const pictograph = /^\p{Extended_Pictographic}$/u;
const skinTone = /^\p{Emoji_Modifier}$/u;

/** Replaces every character of a text that would not be seen. */
export function replaceUnseen(text: string, replace: (character: string) => string): string {
  return text.replaceAll(unseen, (character: string, place: number) =>
    isOfEmoji(text, character, place) ? character : replace(character),
  );
}

function isOfEmoji(text: string, character: string, place: number): boolean {
  if (character === selector) return pictograph.test(characterBefore(text, place));
  if (character !== joiner) return false;
  const isVariant = text[place - 1] === selector;
  const before = characterBefore(text, isVariant ? place - 1 : place);
  const after = String.fromCodePoint(text.codePointAt(place + 1) ?? 0);
  const isJoined = pictograph.test(before) || (!isVariant && skinTone.test(before));
  return isJoined && pictograph.test(after);
}

/** The whole character, which may be two units, that ends at a place. */
function characterBefore(text: string, place: number): string {
  const pair = text.slice(Math.max(0, place - 2), place);
  return (pair.codePointAt(0) ?? 0) > 0xffff ? pair : pair.slice(-1);
}

/** How a character that would not be seen is named to people: U+202E. */
export function nameOfCharacter(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * A text of others as it can be shown on a terminal: a name cannot move the cursor, colour a line, end one, or turn
 * what follows it around.
 */
export function toVisible(text: string): string {
  return replaceUnseen(text, escapeCharacter);
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
