/**
 * Other ways to write the address of a page, which some program between a caller and the service could take for the same one:
 * what is appended to it, what is put before it, and what its letters and slashes are replaced by.
 */
export function otherFormsOf(path: string): string[] {
  const rest = path.slice(1);
  const inner = path.indexOf("/", 1);
  const appended = [
    "/",
    "//",
    "/.",
    "/./",
    "/..",
    "/x/..",
    "/;",
    "/?",
    "/#",
    "/%20",
    "/%2e",
    "#",
    "#x",
    ";",
    ";a=1",
    "\\",
    "%2f",
    "%2F",
    "%5c",
    "%5C",
    "%3b",
    "%23",
    "%3f",
    "%3F",
    "%00",
    "%20",
    "%09",
    "%0a",
    "%0d",
    "%2e",
    "%252f",
    "%c0%af",
    "%ef%bc%8f",
    "%e2%80%8b",
    "+",
  ];
  const before = [
    "/",
    "//",
    "/.",
    "/./.",
    "/x/..",
    "/x/../.",
    "/%2e",
    "/x/%2e%2e",
    "/x/%2E%2E",
    "/..",
    "/;",
    "/;a=1",
    "/..;",
    "/x/..;",
    "/%2f",
    "/%2F",
    "/%5c",
    "/%5c..",
    "/\\",
    "/x/..%2f",
    "/%20",
    "/x%2f..",
    "/%00",
    "/%252e%252e",
    "http://127.0.0.1",
    "//127.0.0.1",
    "https://x:1",
    "*",
  ];
  const changed = [
    `/${encoded(rest.charAt(0))}${rest.slice(1)}`,
    `/${rest.slice(0, -1)}${encoded(rest.slice(-1))}`,
    `/%25${encoded(rest.charAt(0)).slice(1)}${rest.slice(1)}`,
    `/${rest.charAt(0).toUpperCase()}${rest.slice(1)}`,
    path.toUpperCase(),
    `%2f${rest}`,
    `\\${rest}`,
    rest,
    ...(inner === -1 ? [] : ["//", "/./", "/x/../", "%2f", "%2F", "\\", "%5c", "/;/", ";/"]).map(
      (between) => path.slice(0, inner) + between + path.slice(inner + 1),
    ),
  ];
  const all = [
    ...appended.map((end) => path + end),
    ...before.map((start) => start + path),
    ...(rest === "" ? [] : changed),
  ];
  return [...new Set(all)].filter((form) => form !== path);
}

function encoded(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).padStart(2, "0")}`;
}
