export type Headers = Readonly<Record<string, string>>;

/** The first line of a request that was recorded whole, and what stands behind its blank line, are no headers. */
export function headerLinesOf(text: string): string[] {
  const [head = ""] = text.split(/\r?\n\r?\n/);
  return head
    .split(/\r?\n/)
    .map((line) => line.replace(/^[<>] /, ""))
    .filter((line) => line.trim() !== "" && !/^(?:[A-Z]+ \S+ )?HTTP\/[\d.]+/.test(line));
}

/** One header, its name in small letters; undefined: the line is none. */
export function readHeaderLine(line: string): readonly [name: string, value: string] | undefined {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
  return name === undefined || value === undefined ? undefined : [name.toLowerCase(), value];
}

/** Undefined where webhook-signature is there, which says more; otherwise the interface's own header, if there is one. */
export function signatureHeaderOf(headers: Headers): string | undefined {
  return headers["webhook-signature"] === undefined ? ownHeader(headers) : undefined;
}

/** x-service-hmac-sha256, whatever the brand in its name. */
export function ownHeader(headers: Headers): string | undefined {
  return Object.keys(headers).find((name) => /^x-.+-hmac-sha256$/.test(name));
}
