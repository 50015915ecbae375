import type { Belongings } from "../api/belongings.ts";
import { type Blueprint, exampleBody, kindOfParameter } from "../api/blueprint.ts";
import type { Visitor } from "../api/console-visitor.ts";
import type { Operation } from "../api/document.ts";
import type { Random } from "../random.ts";
import type { Breakage, Broken } from "./draft.ts";

/** Whose requests are broken: its token, and things of its own to speak of. */
export interface Target {
  readonly token: string;
  readonly belongings: Belongings;
  /** Of the console; undefined elsewhere. */
  readonly visitor?: Visitor;
}

export interface Next {
  readonly operation: Operation;
  readonly breakage: Breakage;
  readonly request: Broken;
}

/** Broken requests without end: every breakage of every operation in turn, each time with other values. */
export class RequestSource {
  readonly #random: Random;
  readonly #targetOf: (operation: Operation) => Target;
  readonly #pairs: readonly (readonly [Operation, Breakage])[];

  constructor(
    random: Random,
    operations: readonly Operation[],
    breakages: readonly Breakage[],
    targetOf: (operation: Operation) => Target,
  ) {
    this.#random = random;
    this.#targetOf = targetOf;
    this.#pairs = breakages.flatMap((breakage) =>
      operations
        .filter((operation) => breakage.appliesTo(operation))
        .map((operation) => [operation, breakage] as const),
    );
  }

  next(number: number): Next {
    const [operation, breakage] = this.#pairs[number % this.#pairs.length] ?? [];
    if (operation === undefined || breakage === undefined) throw new Error("nothing to break");
    const request = breakage.make(this.#blueprintOf(operation, number), this.#random);
    return { operation, breakage, request };
  }

  #blueprintOf(operation: Operation, number: number): Blueprint {
    const { token, belongings, visitor } = this.#targetOf(operation);
    const names = operation.parameters.filter((one) => one.in === "path").map(({ name }) => name);
    return {
      operation,
      token: operation.needsToken ? token : undefined,
      visitor,
      path: Object.fromEntries(
        names.map((name) => {
          const ids = belongings[kindOfParameter(operation, name)] ?? ["unknown"];
          // What may be deleted is the last one only, so that the others stay.
          const others = ids.slice(0, -1);
          const isLost = operation.method === "DELETE" || others.length === 0;
          return [name, isLost ? (ids.at(-1) ?? "") : this.#random.pick(others)];
        }),
      ),
      body: exampleBody(operation, `broken-${number}`),
    };
  }
}
