import type {
  ExportStatementAsCsvQuery,
  GetStatementQuery,
  ListSealsQuery,
  Seal,
  Statement,
  StatementLine,
} from "../api.ts";
import type { List } from "../list.ts";
import { withIdleLimit } from "../read-body.ts";
import type { Sender } from "../sender.ts";
import type { CallOptions } from "../settings.ts";

/** A file as it comes. */
export interface Download {
  readonly contentType: string;
  readonly body: ReadableStream<Uint8Array>;
}

export interface DownloadOptions extends CallOptions {
  /** The longest silence while the file comes; 30 000 unless told otherwise. */
  readonly idleMs?: number;
}

/** What changed the balance. */
export class StatementResource {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Its lines, oldest first. Each of `pages()` has the balances and totals of all of it. */
  lines(query: GetStatementQuery = {}, options?: CallOptions): List<StatementLine, Statement> {
    return this.#sender.list("/v1/statement", query, options);
  }

  /** The signed days, newest first. Keep them somewhere else than with the operator. */
  seals(query: ListSealsQuery = {}, options?: CallOptions): List<Seal> {
    return this.#sender.list("/v1/statement/seals", query, options);
  }

  /** The statement as a file, streamed. `dialect` is for csv. */
  async export(
    format: "csv" | "xlsx" | "pdf",
    query: ExportStatementAsCsvQuery = {},
    { idleMs = 30_000, ...options }: DownloadOptions = {},
  ): Promise<Download> {
    return this.#sender.send(
      { effect: "read", method: "GET", path: `/v1/statement.${format}`, query, options },
      async (response, fail) => {
        if (response.body === null) throw fail("there is no file in it");
        return {
          contentType: response.headers.get("content-type") ?? "",
          body: withIdleLimit(response.body, idleMs),
        };
      },
    );
  }
}
