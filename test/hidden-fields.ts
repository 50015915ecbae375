/** The hidden fields of a page's forms; where two have the same, the last form's. */
export function hiddenFieldsOf(html: string): Record<string, string> {
  const fields = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  return Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, value]));
}
