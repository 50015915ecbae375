import { Readable } from "node:stream";
import type { Company } from "../../companies/company.ts";
import { Places } from "../../http/places.ts";
import { ExportsTooMany } from "../errors.ts";
import { type ExportFormat } from "../file-signature.ts";
import { type ExportRequest, type ExportSettings, openStatement } from "./export-statement.ts";
import { type ExportChoice, writeExport } from "./write-export.ts";

const placesMax = {
  /** A person downloads one file, or one of each kind by and by. */
  perHolderMax: 2,
  /** Each holds some ten thousand rows at most; more than these would crowd out what the service is for. */
  perNodeMax: 8,
};
/** A caller that takes nothing for so long is given up: it would keep its place for ever. */
const patienceMs = 60_000;

export const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pdf: "application/pdf",
};

/** Statements on their way out as files: a few of each company at a time, whoever asks for them. */
export class StatementExports {
  readonly #options: ExportSettings;
  readonly #places = new Places({ ...placesMax, refuse: (max) => new ExportsTooMany(max) });

  constructor(options: ExportSettings) {
    this.#options = options;
  }

  async open(company: Company, asked: ExportRequest, choice: ExportChoice): Promise<Readable> {
    return this.stream(company.id, async () => {
      const { statement, exporter } = await openStatement(this.#options, company, asked);
      return writeExport(statement, exporter, choice);
    });
  }

  /** Any other file of a company, within the same limits. */
  async stream(companyId: string, open: () => Promise<AsyncIterable<Buffer>>): Promise<Readable> {
    const giveBack = this.#places.take(companyId);
    try {
      const stream = patientStream(await open());
      stream.once("close", giveBack);
      return stream;
    } catch (error) {
      giveBack();
      throw error;
    }
  }
}

export function exportName(asked: ExportRequest, format: ExportFormat): string {
  const days = [asked.from, asked.to].flatMap((text) => text?.slice(0, 10) ?? []);
  return `${["statement", ...days].join("-")}.${format}`;
}

/** A stream that ends itself when nobody has asked for more for a while. */
function patientStream(pieces: AsyncIterable<Buffer>): Readable {
  const timer = setTimeout(
    () => stream.destroy(new Error(`nothing was taken for ${patienceMs} ms`)),
    patienceMs,
  );
  async function* asked(): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      timer.refresh();
      yield piece;
    }
  }
  const stream = Readable.from(asked(), { highWaterMark: 1 });
  stream.once("close", () => clearTimeout(timer));
  return stream;
}
