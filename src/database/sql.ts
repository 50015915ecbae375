/** A statement and its values. A value can never become SQL text. */
export interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Statements without variable parts are prepared once per connection under this name. */
  readonly name?: string | undefined;
}

class Fragment implements Query {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string | undefined;

  constructor(text: string, values: readonly unknown[], name?: string) {
    this.text = text;
    this.values = values;
    this.name = name;
  }
}

const prepared = new WeakMap<
  TemplateStringsArray,
  { readonly text: string; readonly name: string }
>();
let preparedCount = 0;

/**
 * sql`select ${x}` becomes { text: "select $1", values: [x] }. A value that is itself made by `sql` is a
 * part of the statement; such statements are composed anew each time, so they are not prepared.
 */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Query {
  if (values.some((value) => value instanceof Fragment)) return compose(strings, values);

  let statement = prepared.get(strings);
  if (statement === undefined) {
    preparedCount += 1;
    const text = strings.reduce((before, after, index) => `${before}$${index}${after}`);
    statement = { text, name: `s${preparedCount}` };
    prepared.set(strings, statement);
  }
  return new Fragment(statement.text, values, statement.name);
}

function compose(strings: TemplateStringsArray, parts: readonly unknown[]): Query {
  const values: unknown[] = [];
  let text = strings[0] ?? "";
  for (const [index, part] of parts.entries()) {
    if (part instanceof Fragment) {
      const offset = values.length;
      text += part.text.replaceAll(
        /\$(\d+)/g,
        (_, digits: string) => `$${Number(digits) + offset}`,
      );
      values.push(...part.values);
    } else {
      values.push(part);
      text += `$${values.length}`;
    }
    text += strings[index + 1] ?? "";
  }
  return new Fragment(text, values);
}

/** Joins conditions with "and"; with none of them, true. */
export function every(conditions: readonly Query[]): Query {
  return conditions.reduce((before, after) => sql`${before} and ${after}`, sql`true`);
}
