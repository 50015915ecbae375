import { randomUUID } from "node:crypto";
import type { Database } from "../../src/database/database.ts";
import type { Random } from "../../torture/random.ts";
import { flipped, more, witnessedRows } from "./witnessed-rows.ts";

/** A change that somebody with all rights makes past the triggers, and the places of which the audit must name one. */
export interface Tampering {
  readonly texts: readonly string[];
  readonly places: readonly string[];
}

const postingColumns: Readonly<Record<string, string>> = {
  amount: more("amount"),
  subject_id: ":new",
  created_at: "created_at + interval '1 ms'",
  available_after: "coalesce(available_after, 0) - 1",
  event:
    "case event when 'charge.paid' then 'charge.refunded' else 'charge.paid' end::posting_event",
  debit_account:
    "case when 'fees' in (debit_account, credit_account) then 'external' else 'fees' end::account",
  mark: "mark # 1024",
  "(mark, chain)": "row(null, chain)",
};

export class Tamperer {
  readonly #database: Database;
  readonly #companyId: string;
  readonly #random: Random;

  constructor(database: Database, companyId: string, random: Random) {
    this.#database = database;
    this.#companyId = companyId;
    this.#random = random;
  }

  /** Half of all changes concern postings. */
  next(): Promise<Tampering> {
    if (this.#random.isLikely(0.5)) return this.#changeOther();
    const ways = [
      () => this.#changePosting(),
      () => this.#changePosting(),
      () => this.#cutChain(),
      () => this.#removePosting(),
      () => this.#swapPostings(),
      () => this.#putPostingIn(),
    ];
    return this.#random.pick(ways)();
  }

  async #changeOther(): Promise<Tampering> {
    const { table, which = "true", place, columns, mayDelete } = this.#random.pick(witnessedRows);
    const where = `company_id = '${this.#companyId}' and ${which}`;
    const [{ count } = { count: 0 }] = await this.#ask<{ count: number }>(
      `select count(*) as count from ${table} where ${where}`,
    );
    const nth = this.#random.integer(0, count - 1);
    const [row] = await this.#ask<{ at: string; place: string }>(
      `select ctid::text as at, ${place} as place from ${table} where ${where} order by ctid offset ${nth} limit 1`,
    );
    if (row === undefined) throw new Error(`${table} has no such rows`);
    const names = Object.keys(columns);
    const way = this.#random.integer(0, names.length - (mayDelete ? 0 : 1));
    const name = names[way];
    if (name === undefined)
      return { texts: [`delete from ${table} where ctid = '${row.at}'`], places: [row.place] };
    return this.#change(table, `ctid = '${row.at}'`, name, columns[name] ?? "", row.place);
  }

  async #changePosting(): Promise<Tampering> {
    const number = await this.#anyPosting();
    const column = this.#random.pick(Object.keys(postingColumns));
    const value = postingColumns[column] ?? "";
    return this.#change("postings", this.#isPosting(number), column, value, placeOf(number));
  }

  #change(table: string, where: string, column: string, value: string, place: string): Tampering {
    const id = randomUUID();
    const text = `update ${table} set ${column} = ${value.replace(":new", `'${id}'`)} where ${where}`;
    return { texts: [text], places: value === ":new" ? [place, id] : [place] };
  }

  /** Another hash at the end of a set, or none: some posting of the set is named. */
  async #cutChain(): Promise<Tampering> {
    const ends = await this.#ask<{ number: number }>(
      `select number from postings where company_id = '${this.#companyId}' and chain is not null order by number`,
    );
    const nth = this.#random.integer(0, ends.length - 1);
    const [before, end] = [ends[nth - 1]?.number ?? 0, ends[nth]?.number ?? 0];
    const value = this.#random.isLikely(0.5) ? flipped("chain") : "null";
    const set = Array.from({ length: end - before }, (_, place) => placeOf(before + 1 + place));
    return {
      texts: [`update postings set chain = ${value} where ${this.#isPosting(end)}`],
      places: set,
    };
  }

  async #removePosting(): Promise<Tampering> {
    const number = await this.#anyPosting();
    return {
      texts: [`delete from postings where ${this.#isPosting(number)}`],
      places: [placeOf(number)],
    };
  }

  async #swapPostings(): Promise<Tampering> {
    const one = await this.#anyPosting();
    const other = await this.#anyPosting();
    if (one === other) return this.#swapPostings();
    const move = (from: number, to: number) =>
      `update postings set number = ${to} where ${this.#isPosting(from)}`;
    return {
      texts: [move(one, -1), move(other, one), move(-1, other)],
      places: [placeOf(Math.min(one, other))],
    };
  }

  /** A copy of a posting in any place, the last one included, and those behind it numbered again. */
  async #putPostingIn(): Promise<Tampering> {
    const copied = await this.#anyPosting();
    const place = (await this.#anyPosting()) + 1;
    const ofCompanyId = `company_id = '${this.#companyId}'`;
    const rest =
      "subject_id, amount, available_after, created_at, event, debit_account, credit_account, mark, chain";
    return {
      texts: [
        `create temp table copied on commit drop as select * from postings where ${this.#isPosting(copied)}`,
        `update postings set number = -number - 1 where ${ofCompanyId} and number >= ${place}`,
        `update postings set number = -number where ${ofCompanyId} and number < 0`,
        `insert into postings (company_id, number, ${rest}) select company_id, ${place}, ${rest} from copied`,
        `update books set last_posting = last_posting + 1 where ${ofCompanyId}`,
      ],
      places: [placeOf(place)],
    };
  }

  async #anyPosting(): Promise<number> {
    const [row] = await this.#ask<{ last: number }>(
      `select last_posting as last from books where company_id = '${this.#companyId}'`,
    );
    return this.#random.integer(1, row?.last ?? 1);
  }

  #isPosting(number: number): string {
    return `company_id = '${this.#companyId}' and number = ${number}`;
  }

  #ask<Row extends object>(text: string): Promise<Row[]> {
    return this.#database.query<Row>({ text, values: [] });
  }
}

function placeOf(number: number): string {
  return `posting ${number} of company`;
}
