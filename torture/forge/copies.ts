import { randomBytes } from "node:crypto";
import pg from "pg";

/** Databases of one server, each a copy of another. All are gone in the end. */
export class Copies {
  readonly #server: string;
  readonly #name = `forge_${randomBytes(6).toString("hex")}`;
  readonly #made: string[] = [];

  constructor(server: string) {
    this.#server = server;
  }

  /** Nobody may be connected to the one that is copied. The address of the copy. */
  async make(from = "template0"): Promise<string> {
    const name = `${this.#name}_${this.#made.length}`;
    const original = from === "template0" ? from : nameIn(from);
    // First, so that two at once do not take the same name.
    this.#made.push(name);
    await this.#administer(`create database ${name} template ${original}`);
    const url = new URL(this.#server);
    url.pathname = `/${name}`;
    // A copy does not take over what is set for its original: the clock stands in a schema of its own.
    if (from !== "template0")
      await this.#administer(`alter database ${name} set search_path = clock, pg_catalog, public`);
    return url.href;
  }

  async drop(url: string): Promise<void> {
    await this.#administer(`drop database if exists ${nameIn(url)} with (force)`);
  }

  async dropAll(): Promise<void> {
    for (const name of this.#made)
      await this.#administer(`drop database if exists ${name} with (force)`);
  }

  async #administer(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.#server });
    client.on("error", () => {});
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }
}

function nameIn(url: string): string {
  return new URL(url).pathname.slice(1);
}
