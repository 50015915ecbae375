const localShape = /^\/console(?:\/[\w.~-]+)*(?:\?[\w=&%.,:+~*-]*)?$/;
const pathMax = 1_000;

/** A page of the console, without what the installation's address has before it; undefined for everything else. */
export function readLocalPath(text: string | undefined): string | undefined {
  return text !== undefined && text.length <= pathMax && localShape.test(text) ? text : undefined;
}
