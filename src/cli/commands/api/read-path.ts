import { InvalidQuery } from "../../errors.ts";

export interface Target {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** A path with the parameters that stand in it and those that are given beside it. Throws InvalidQuery. */
export function readTarget(text: string, given: readonly string[] = []): Target {
  const [path = "", search = ""] = text.split(/\?(.*)/s);
  const pairs = [...new URLSearchParams(search), ...given.map((pair) => readPair(pair))];
  const query = new Map<string, string>();
  for (const [name, value] of pairs) {
    // The service would refuse it too, with less to say about where it comes from.
    if (query.has(name)) throw new InvalidQuery(`${name} is given twice.`);
    query.set(name, value);
  }
  return { path, query: Object.fromEntries(query) };
}

function readPair(text: string): readonly [string, string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidQuery(`${JSON.stringify(text)} is no name with a value.`);
  return [name, value];
}
