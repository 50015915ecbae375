import { nameOfCharacter, replaceUnseen } from "../kernel/visible.ts";

/** What separates words and lines of markup is no secret. */
const isBlank = (character: string) =>
  character === "\n" || character === "\t" || character === "\r";

/** Looked at first, because hardly a page has such a character: everything below is among these. */
const mayNeedMarks =
  /[^\t\n\r\x20-\x7e\xa0-\xac\xae-\u02ff\u2000-\u200a\u2010-\u2027\u202f-\u205f\u20a1-\u20cf\u2100-\u27ff\u2900-\u2fff]/;
const letterFromTheRight =
  "\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}\\p{Script=Adlam}";
/** Words of scripts that are written from the right, with their vowels and the blanks between them. */
const fromTheRight = new RegExp(
  `[${letterFromTheRight}][${letterFromTheRight}\\p{M}]*(?: [${letterFromTheRight}][${letterFromTheRight}\\p{M}]*)*`,
  "gu",
);
/** A mark, such as an accent, without a letter to stand on. */
const markAlone = /(^\s*|<\/span>)(\p{M})/gu;
const circle = "\u25cc";

/** In these the reader sees text, and no element can stand. */
const plainElements = /^<(?:title|option)\b/;
/** What stands in these is no text for the reader, or has to go back as it came. */
const keptElements = /^<(script|style|textarea)\b/;
/** The end of what stands before the quotes of an attribute that is read to people. */
const readName = / (?:title|alt|label|placeholder|content|aria-[a-z]{1,20})=$/;

/**
 * A page on which everything that others wrote is seen, and stands where it was written: characters that would not be shown are
 * marked by their number, and words of scripts that are written from the right do not turn around what is beside them.
 *
 * It works on the finished page, so that no view can forget it. The values of fields stay as they are: they go back with the form.
 */
export function withVisibleText(html: string): string {
  if (!mayNeedMarks.test(html)) return html;
  const parts: string[] = [];
  let place = 0;
  let isPlain = false;
  while (place < html.length) {
    const start = html.indexOf("<", place);
    const textEnd = start === -1 ? html.length : start;
    parts.push(visible(html.slice(place, textEnd), isPlain));
    if (start === -1) break;
    const end = endOfTag(html, start);
    const tag = html.slice(start, end);
    const kept = keptElements.exec(tag)?.[1];
    isPlain = plainElements.test(tag);
    place = kept === undefined ? end : afterElement(html, end, kept);
    parts.push(markedAttributes(tag), html.slice(end, place));
  }
  return parts.join("");
}

function visible(text: string, isPlain: boolean): string {
  if (!mayNeedMarks.test(text)) return text;
  if (isPlain) return marked(text);
  return replaceUnseen(text, (character) =>
    isBlank(character) ? character : `<span class="codepoint">${nameOfCharacter(character)}</span>`,
  )
    .replaceAll(markAlone, `$1${circle}$2`)
    .replaceAll(fromTheRight, "<bdi>$&</bdi>");
}

/** A tag whose attributes for people are marked: every second part between its quotes is a value. */
function markedAttributes(tag: string): string {
  return tag
    .split('"')
    .map((part, index, parts) =>
      index % 2 === 1 && readName.test(parts[index - 1] ?? "") ? marked(part) : part,
    )
    .join('"');
}

/** Where no element can stand. */
function marked(text: string): string {
  return replaceUnseen(text, (character) =>
    isBlank(character) ? character : `[${nameOfCharacter(character)}]`,
  );
}

/** Behind the `>` that ends a tag; one inside the quotes of an attribute does not. */
function endOfTag(html: string, start: number): number {
  let isQuoted = false;
  for (let place = start; place < html.length; place += 1) {
    const character = html[place];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === ">" && !isQuoted) return place + 1;
  }
  return html.length;
}

function afterElement(html: string, from: number, name: string): number {
  const end = html.indexOf(`</${name}`, from);
  return end === -1 ? html.length : end;
}
