/** An expression that is not proven linear, and what keeps it from long texts. */
export interface LimitedExpression {
  readonly file: string;
  /** As the check names it. */
  readonly expression: string;
  /** How long a text it meets at most, and where that is seen to. */
  readonly limit: string;
  readonly why: string;
}

/**
 * Every expression of the sources that `recheck` does not prove linear. `npm run check` fails when one is missing here, and when one stands here
 * that is proven or is gone. docs/input-limits.md shows the same list.
 */
export const limited: readonly LimitedExpression[] = [
  {
    file: "src/kernel/normalized.ts",
    expression: "normalize()",
    limit: "1 024 characters, in the same function",
    why: "Accents in a row are put in order by the square of their number. All other files call this one.",
  },
  {
    file: "src/pdf/text.ts",
    expression: "normalize()",
    limit: "one character, in the same line",
    why: "A letter that the font does not have is printed without its accent.",
  },
  {
    file: "src/reference/page.js",
    expression: "normalize()",
    limit: "what a reader types into the search of /docs, in the reader's own browser",
    why: "The service never sees it.",
  },
  {
    file: "src/pages/minify-styles.ts",
    expression: "/\\/\\*.*?\\*\\//g",
    limit: "our own style sheets, when the program starts",
    why: "No text of anybody else is a style sheet.",
  },
];
