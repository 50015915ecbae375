import { nearestWord } from "../kernel/nearest-word.ts";

const charsMax = 200;
const partsMax = 8;
const version = "v1";

/** What only one route of the interface leads to, told to everybody by /openapi.json. */
interface KnownRoute {
  /** As the document writes it: /v1/charges/{id}. */
  readonly address: string;
  readonly parts: readonly string[];
}

/**
 * The address that somebody most likely meant: one with a word misspelled, without /v1, or with it twice. Undefined when
 * none is near. Ids are not looked at, so nothing is told of what there is behind an address.
 */
export class AddressBook {
  readonly #routes: readonly KnownRoute[];

  constructor(patterns: Iterable<string>) {
    this.#routes = Array.from(patterns)
      .filter((pattern) => pattern.startsWith(`/${version}/`) && !pattern.includes("*"))
      .map((pattern) => ({
        address: pattern.replaceAll(/:(\w+)/g, "{$1}"),
        parts: pattern.split("/").slice(2),
      }));
  }

  suggest(path: string): string | undefined {
    if (path.length > charsMax) return undefined;
    const written = path.split("/", partsMax + 2).filter((part) => part !== "");
    const parts = written.slice(
      written.findLastIndex((part) => part.toLowerCase() === version) + 1,
    );
    if (parts.length === 0 || parts.length > partsMax) return undefined;
    const near = this.#routes.filter((route) => isNear(parts, route.parts));
    // Words before ids: /v1/transactions/bacth is a batch and not a transaction.
    return near.toSorted((one, other) => idsIn(one) - idsIn(other))[0]?.address;
  }
}

function isNear(written: readonly string[], known: readonly string[]): boolean {
  return (
    written.length === known.length &&
    written.every((part, place) => {
      const word = known[place] ?? "";
      return word.startsWith(":") || nearestWord(part, [word]) !== undefined;
    })
  );
}

function idsIn({ parts }: KnownRoute): number {
  return parts.filter((part) => part.startsWith(":")).length;
}
