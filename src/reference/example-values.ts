import { type OpenApiDocument, referredName, type Schema } from "./openapi-document.ts";

/** Ids of what has no prefix. */
const someId = "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6";

/** What stands for a value of which the document has no example, by the name of its field. */
const byName: Readonly<Record<string, unknown>> = {
  id: someId,
  webhookId: someId,
  companyId: "com_019b2d5f3a7c7c0f8000a1b2c3d4e5f6",
  deliveryId: "2",
  until: "2026-02-01T00:00:00.000Z",
  balance: 1_250_000,
  sequence: 1043,
  lastSequence: 1043,
  hasMore: false,
  attempt: 1,
  attempts: 1,
  durationMs: 48,
  count: 1,
  limit: 15,
  timeZone: "Africa/Abidjan",
  firstName: "Awa",
  lastName: "Diop",
  keyId: "3f9a1c5e7b2d4f608192a3b4c5d6e7f8",
  publicKey: "mC8x0y2ZkS5uQpV7nB1dJ4hG6fT9wE3rLaXoIiUzYcM=",
  hash: "7d1a54127b222502f5b79b5fb0803061152a44f92b37e23c6527baf665d4da9a",
  signature:
    "l0wJ6vZc1mQ2rT8uX4yB7nE5kH3gF9dS0aP6oI1jL2qW8eR4tY7uC3vM5bN9xZ6hKsDfGjAqPwOeIrUtYlMnBw==",
  correlationId: "f8d6073d-3de7-47b8-b657-3518fbe1d846",
  message: "amount is text; it must be a whole number.",
  path: "/v1/transactions",
  field: "amount",
  problem: "The database cannot be reached.",
};

/**
 * Makes an example of anything in a document: its own where it has one; else put together from its fields, with what
 * other examples of the document have under the same name.
 */
export class ExampleValues {
  readonly #schemas: OpenApiDocument["components"]["schemas"];
  readonly #known = new Map<string, unknown>(Object.entries(byName));

  constructor(document: OpenApiDocument) {
    this.#schemas = document.components.schemas;
    for (const schema of Object.values(this.#schemas)) {
      const [example] = schema.examples ?? [];
      for (const [name, value] of Object.entries(example ?? {}))
        if (!this.#known.has(name)) this.#known.set(name, value);
    }
  }

  of(schema: Schema, name = ""): unknown {
    const referred = referredName(schema);
    if (referred !== undefined) return this.of(this.#schemas[referred] ?? {}, name);
    const { examples = [], enum: words, properties, items } = schema;
    if (examples.length > 0) return examples[0];
    if (words !== undefined) return words.includes(null) ? null : words[0];
    if (properties !== undefined && Object.keys(properties).length > 0)
      return Object.fromEntries(
        Object.entries(properties).map(([key, value]) => [key, this.of(value, key)]),
      );
    if (items !== undefined) return [this.of(items, name)];
    return this.#plain(schema, name);
  }

  #plain({ type, minimum }: Schema, name: string): unknown {
    const types = [type].flat();
    const known = this.#known.get(name);
    if (known !== undefined && fits(known, types)) return known;
    if (types.includes("null")) return null;
    if (types.includes("integer") || types.includes("number")) return minimum ?? 0;
    if (types.includes("boolean")) return true;
    if (types.includes("object")) return {};
    return name;
  }
}

function fits(value: unknown, types: readonly (string | undefined)[]): boolean {
  if (value === null) return types.includes("null");
  if (typeof value === "number") return types.includes("integer") || types.includes("number");
  return types.includes(typeof value);
}
