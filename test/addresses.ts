import type { Belongings } from "../torture/api/belongings.ts";
import { kindOfParameter, toAddress } from "../torture/api/blueprint.ts";
import type { Operation } from "../torture/api/document.ts";

/** Wherever an operation can be reached: every thing it is about, every filter with every value, also in pairs. */
export function addressesOf(
  operation: Operation,
  things: Belongings,
  filtersAtOnce: 1 | 2,
): string[] {
  return pathsOf(operation, things).flatMap((path) =>
    questionsOf(operation, things, filtersAtOnce).map(
      (question) => toAddress({ operation, path }) + question,
    ),
  );
}

/** What stands below a thing is the first one's. What is deleted is the last one. */
function pathsOf(operation: Operation, things: Belongings): Record<string, string>[] {
  const names = operation.parameters.filter((one) => one.in === "path").map(({ name }) => name);
  const last = names.at(-1);
  if (last === undefined) return [{}];
  const idsOf = (name: string) =>
    known(things[kindOfParameter(operation, name)], `{${name}} of ${operation.id}`);
  const above = names.slice(0, -1).map((name) => [name, idsOf(name)[0]]);
  const ids = operation.method === "DELETE" ? idsOf(last).slice(-1) : idsOf(last);
  return ids.map((id) => Object.fromEntries([...above, [last, id]]));
}

function questionsOf(operation: Operation, things: Belongings, filtersAtOnce: 1 | 2): string[] {
  const filters = operation.parameters
    .filter((one) => one.in === "query" && one.name !== "limit" && one.name !== "cursor")
    .map(({ name, schema, required }) => {
      const values = schema.enum?.map(String) ?? things[name];
      const parts = known(values, `${name} of ${operation.id}`).map(
        (value) => `${name}=${encodeURIComponent(value)}`,
      );
      return { required, parts };
    });
  const required = filters.filter((one) => one.required).map(({ parts }) => parts[0]);
  const optional = filters.filter((one) => !one.required).map(({ parts }) => parts);
  const pairs = optional.flatMap((parts, place) =>
    optional.slice(place + 1).flatMap((others) => parts.flatMap((a) => others.map((b) => [a, b]))),
  );
  const chosen = [
    [],
    ...optional.flat().map((part) => [part]),
    ...(filtersAtOnce === 2 ? pairs : []),
  ];
  return chosen.map((parts) => {
    const all = [...required, ...parts].join("&");
    return all === "" ? "" : `?${all}`;
  });
}

function known(values: readonly string[] | undefined, what: string): readonly string[] {
  if (values === undefined)
    throw new Error(`nothing was made to ask for with ${what}: teach this file`);
  return values;
}
