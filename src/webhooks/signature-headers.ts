export type Headers = Readonly<Record<string, string>>;

/** The first line of a request that was recorded whole, and what stands behind its blank line, are no headers. */
export function headerLinesOf(text: string): string[] {
  const [head = ""] = text.split(/\r?\n\r?\n/);
  return head
    .split(/\r?\n/)
    .map((line) => line.replace(/^[<>] /, ""))
    .filter((line) => line.trim() !== "" && !/^(?:[A-Z]+ \S+ )?HTTP\/[\d.]+/.test(line));
}

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;

/** One header, its name in small letters; undefined: the line is none. */
export function readHeaderLine(line: string): readonly [name: string, value: string] | undefined {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(0, colon)).trimEnd();
  return headerName.test(name) ? [name.toLowerCase(), line.slice(colon + 1).trim()] : undefined;
}

/** Undefined where webhook-signature is there, which says more; otherwise the interface's own header, if there is one. */
export function signatureHeaderOf(headers: Headers): string | undefined {
  return headers["webhook-signature"] === undefined ? ownHeader(headers) : undefined;
}

/** x-service-hmac-sha256, whatever the brand in its name. */
export function ownHeader(headers: Headers): string | undefined {
  return Object.keys(headers).find((name) => /^x-.+-hmac-sha256$/.test(name));
}
