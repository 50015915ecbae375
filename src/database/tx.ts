import type pg from "pg";
import { type CopyStreamQuery, type CopyToStreamQuery, from, to } from "pg-copy-streams";
import { activities } from "../kernel/activity-board.ts";
import { arrayLiteral } from "./array-literal.ts";
import type { Query } from "./sql.ts";

/** What can be read from: the database itself, or an open transaction. */
export interface Queryable {
  query<Row extends object>(query: Query): Promise<Row[]>;
}

/** What can be written to by one statement. A connection that breaks under it leaves its outcome unknown; under `query` it means that nothing was done. */
export interface Writable {
  execute<Row extends object>(query: Query): Promise<Row[]>;
}

/** An open database transaction. Only `Database.transaction` makes one. */
export class Tx implements Queryable, Writable {
  readonly #client: pg.PoolClient;
  readonly #count: () => void;
  readonly #mayPrepare: boolean;

  constructor(client: pg.PoolClient, count: () => void, mayPrepare: boolean) {
    this.#client = client;
    this.#count = count;
    this.#mayPrepare = mayPrepare;
  }

  async query<Row extends object>(query: Query): Promise<Row[]> {
    this.#count();
    const { current } = activities;
    const result = await this.#client.query<Row>(toConfig(query, this.#mayPrepare));
    activities.goOnWith(current);
    return takeRows(result);
  }

  /** In a transaction the commit decides, whatever is run. */
  execute<Row extends object>(query: Query): Promise<Row[]> {
    return this.query(query);
  }

  /** What `copy … to stdout` writes, as it is read. Whoever stops early ends the connection: nothing else ends a copy. */
  copyOut(statement: string): CopyToStreamQuery {
    this.#count();
    const rows = this.#client.query(to(statement));
    rows.once("close", () => {
      if (!rows.readableEnded) this.#client.connection.stream.destroy();
    });
    return rows;
  }

  /** Takes what `copy … from stdin` reads; finished when PostgreSQL has taken all of it. */
  copyIn(statement: string): CopyStreamQuery {
    this.#count();
    return this.#client.query(from(statement));
  }
}

export function toConfig(query: Query, mayPrepare: boolean): pg.QueryConfig {
  const values = query.values.map((value) => (Array.isArray(value) ? arrayLiteral(value) : value));
  return query.name === undefined || !mayPrepare
    ? { text: query.text, values }
    : { text: query.text, values, name: query.name };
}

/**
 * Takes the rows out of the driver's result. What it made for one statement leads to what it makes for the next: when one of
 * them is old, all after it grow old, with every row that is read. (docs/decisions/0150-memory-of-exports.md)
 */
export function takeRows<Row extends object>(result: pg.QueryResult<Row>): Row[] {
  const { rows } = result;
  result.rows = [];
  return rows;
}
