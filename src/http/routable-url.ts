const apiPrefix = "/v1/";
const slash = "/".charCodeAt(0);
/** What no route has, so that the 404 of that part of the service answers. */
const nowhere = "no/such/address";

/**
 * What the router is asked for. Each resource has one address, in one form: what differs from it in slashes, dots or encoding
 * leads nowhere, so that no proxy can take one address for another. Under /v1 ids may hold anything, and a single slash at
 * the end is accepted, because real clients send it.
 *
 * The router refuses an address that cannot be decoded before any hook runs. Under /v1 the token has to be looked at first, and
 * the reader of a page is to get a page: there such an address leads nowhere as well.
 */
export function toRoutableUrl(url: string, pagePrefixes: readonly string[]): string {
  if (url.startsWith(apiPrefix)) {
    const routable = withoutSlashAtEnd(url);
    return isDecodable(routable) ? routable : apiPrefix + nowhere;
  }
  const path = pathIn(url);
  if (isInOneForm(path)) return url;
  const prefix = pagePrefixes.find((known) => url.startsWith(known));
  if (prefix === undefined) return isDecodable(path) ? `/${nowhere}` : url;
  return prefix + nowhere;
}

/** Letters, digits and - . _ ~ in segments of which none is empty, `.` or `..`. */
function isInOneForm(path: string): boolean {
  return path === "/" || (/^\/[\w.~/-]+$/.test(path) && !/\/\.{0,2}(?:\/|$)/.test(path));
}

function pathIn(url: string): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}

function withoutSlashAtEnd(url: string): string {
  const query = url.indexOf("?");
  const end = (query === -1 ? url.length : query) - 1;
  if (url.charCodeAt(end) !== slash || end < apiPrefix.length) return url;
  return url.slice(0, end) + url.slice(end + 1);
}

function isDecodable(url: string): boolean {
  if (!url.includes("%")) return true;
  try {
    decodeURIComponent(pathIn(url));
    return true;
  } catch {
    return false;
  }
}
