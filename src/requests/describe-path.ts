/** Ids as the interface shows them: a prefix and 32 digits, or a uuid. Nobody's number looks like that, and no token. */
const idShape = /^(?:[a-z]{3,8}_[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** Numbers of deliveries. Shorter than a phone number. */
const numberShape = /^[1-9]\d{0,6}$/;

/**
 * The route with the ids that were asked for in their places. Anything else that somebody wrote into an address may be a
 * number of a person, or a secret in the wrong place: there the name of the place stands instead. The query is left out.
 */
export function describePath(
  route: string,
  params: Readonly<Record<string, string | undefined>>,
): string {
  if (!route.includes(":")) return route;
  return route.replaceAll(/:(\w+)/g, (place, name: string) => {
    const value = params[name] ?? "";
    return idShape.test(value) || numberShape.test(value) ? value : place;
  });
}
