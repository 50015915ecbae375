/** A URL or path without the slashes at its end. From the end, because a pattern would begin anew at each of them. */
export function withoutSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "/") end -= 1;
  return text.slice(0, end);
}
