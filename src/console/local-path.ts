const localShape = /^\/console(?:\/[\w.~-]+)*(?:\?[\w=&%.,:+~*-]*)?$/;
const pathMax = 1_000;
const anyOrigin = "http://console.invalid";

/**
 * A page of the console, without what the installation's address has before it; undefined for everything else. It has to be written as
 * a browser would write it that goes there: what leads elsewhere by dots, slashes or codes is another text then.
 */
export function readLocalPath(text: string | undefined): string | undefined {
  if (text === undefined || text.length > pathMax || !localShape.test(text)) return undefined;
  const { origin, pathname, search } = new URL(text, anyOrigin);
  const isSame = origin === anyOrigin && `${pathname}${search}` === text;
  return isSame ? text : undefined;
}
