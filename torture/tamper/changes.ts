import type { Column, Table } from "./catalog.ts";

/** A change that somebody with all rights over the database makes to one row; `:row` stands for where it is. */
export interface Change {
  /** The column; or what was done to the row. */
  readonly what: string;
  readonly text: string;
}

const someone = "'01a1e9c7-0000-7000-8000-000000000001'::uuid";
const numbers = new Set(["int2", "int4", "int8", "float8", "numeric"]);

/** Other values for a column, each plausible: a little more, another one of the same column, somebody else, nothing. */
export function changesOf(table: Table, column: Column): Change[] {
  const name = `"${column.name}"`;
  const others = [
    ...valuesFor(name, column),
    // As another row has it: what refers to something still does.
    `(select x.${name} from ${table.name} x where x.${name} is distinct from t.${name} order by 1 limit 1)`,
  ];
  if (column.isNullable) others.push("null");
  return [...new Set(others)].map((value) => ({
    what: column.name,
    text: `update ${table.name} t set ${name} = ${value}
      where t.ctid = :row and t.tableoid = :part and (${value}) is distinct from t.${name}${
        value === "null" || column.isNullable ? "" : ` and (${value}) is not null`
      }`,
  }));
}

function valuesFor(name: string, { type, labels }: Column): string[] {
  if (labels.length > 0) return labels.map((label) => `'${label}'::${type}`);
  if (numbers.has(type)) return [`coalesce(t.${name}, 0) + 1`, `t.${name} - 1`];
  switch (type) {
    case "bool":
      return [`not t.${name}`];
    case "uuid":
      return [someone];
    case "timestamptz":
      return [
        `coalesce(t.${name}, now()) + interval '2 minutes'`,
        `coalesce(t.${name}, now()) - interval '1 day'`,
      ];
    case "date":
      return [`t.${name} + 1`];
    case "bytea":
      return [`sha256(coalesce(t.${name}, ''))`];
    case "jsonb":
      return [`jsonb_set(t.${name}, '{x}', '1', true)`];
    case "_uuid":
      return [`t.${name} || ${someone}`, `trim_array(t.${name}, least(cardinality(t.${name}), 1))`];
    case "_text":
      return [`t.${name} || 'x'::text`, `trim_array(t.${name}, least(cardinality(t.${name}), 1))`];
    case "_int8":
      return [`array[t.${name}[1] + 1] || t.${name}[2:]`];
    default:
      return textsFor(name);
  }
}

/** A text, and a text that is a number of a phone, a digest, or JSON with a number in it. */
function textsFor(name: string): string[] {
  return [
    `coalesce(t.${name}, '') || 'x'`,
    `translate(t.${name}, '123456789', '234567891')`,
    `replace(t.${name}, 'a', 'b')`,
  ];
}

/** A row goes; a copy of it comes under another key; two rows change places in all but their keys. */
export function rowChangesOf(table: Table): Change[] {
  const { name, columns, key } = table;
  const quoted = columns.map((column) => `"${column.name}"`);
  const fresh = columns.map((column) => freshValue(table, column));
  const others = quoted.filter((_, index) => !key.includes(columns[index]?.name ?? ""));
  const changes: Change[] = [
    { what: "delete", text: `delete from ${name} t where t.ctid = :row and t.tableoid = :part` },
    {
      what: "insert",
      text: `insert into ${name} (${quoted.join(", ")}) select ${fresh.join(", ")} from ${name} t
        where t.ctid = :row and t.tableoid = :part`,
    },
  ];
  if (others.length > 0)
    changes.push({
      what: "swap",
      text: `with mine as (select * from ${name} t where t.ctid = :row and t.tableoid = :part),
        other as (
          select x.ctid as other_ctid, x.tableoid as other_part, x.* from ${name} x, mine m
          where (${others.map((one) => `x.${one}`).join(", ")}) is distinct from (${others.map((one) => `m.${one}`).join(", ")})
          order by x.ctid limit 1),
        there as (
          update ${name} t set ${others.map((one) => `${one} = m.${one}`).join(", ")} from mine m, other o
          where t.ctid = o.other_ctid and t.tableoid = o.other_part returning 1)
        update ${name} t set ${others.map((one) => `${one} = o.${one}`).join(", ")} from other o
        where t.ctid = :row and t.tableoid = :part`,
    });
  return changes;
}

/** What the last column of a key, or whatever is unique beside it, becomes in a copy. */
function freshValue({ key }: Table, { name, type }: Column): string {
  const quoted = `t."${name}"`;
  const isLast = key.at(-1) === name;
  if (
    !isLast &&
    !/^(reference|external_id|email|token_hash|link_id|passkey_id|session_id|form_id|made_id)$/.test(
      name,
    )
  )
    return quoted;
  if (numbers.has(type)) return `${quoted} + 1000`;
  if (type === "uuid") return someone;
  if (type === "timestamptz") return `${quoted} + interval '1 hour'`;
  if (type === "date") return `${quoted} + 1`;
  if (type === "bytea") return `sha256(${quoted})`;
  if (type === "text")
    return name === "msisdn"
      ? `translate(${quoted}, '123456789', '234567891')`
      : `${quoted} || 'y'`;
  return quoted;
}
