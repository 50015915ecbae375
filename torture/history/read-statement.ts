import { tableLimits } from "../../src/spreadsheets/limits.ts";
import { readCsv } from "../../src/spreadsheets/read-csv.ts";
import type { Client } from "../traffic/client.ts";
import type { StatementLineState, StatementState } from "./final-state.ts";

/** The whole statement, page by page. */
export async function readPages(client: Client, source: string): Promise<StatementState> {
  const lines: StatementLineState[] = [];
  let cursor = "";
  for (;;) {
    const page = await client.get(`/v1/statement?limit=1000${cursor}`);
    for (const { number, id, amount, balanceAfter } of page.data)
      lines.push({ number, id, amount, balanceAfter });
    if (page.cursor.next === null)
      return { source, opening: page.openingBalance, closing: page.closingBalance, lines };
    cursor = `&cursor=${encodeURIComponent(page.cursor.next)}`;
  }
}

/** A campaign has more lines than a payroll has rows. */
const limits = {
  ...tableLimits,
  fileBytesMax: Infinity,
  rowsMax: Infinity,
  textCharsMax: Infinity,
  linesMax: Infinity,
};
const frameKinds: ReadonlySet<string> = new Set([
  "opening",
  "seal",
  "proof",
  "closing",
  "signature",
]);

/** The same as a file. Its frame tells what the account held before and holds after. */
export async function readExport(
  url: string,
  token: string,
  source: string,
): Promise<StatementState> {
  const response = await fetch(`${url}/v1/statement.csv`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok || response.body === null)
    throw new Error(`no export: ${response.status} ${await response.text()}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  let names: readonly string[] | undefined;
  const lines: StatementLineState[] = [];
  const frames = new Map<string, number>();
  for await (const { cells } of readCsv(once(bytes), limits)) {
    if (names === undefined) {
      names = cells;
      continue;
    }
    const row = Object.fromEntries(names.map((name, place) => [name, cells[place] ?? ""]));
    const { number = "", id = "", kind = "", amount, balanceAfter } = row;
    if (frameKinds.has(kind)) frames.set(kind, Number(balanceAfter));
    else
      lines.push({
        number: Number(number),
        id,
        amount: Number(amount),
        balanceAfter: Number(balanceAfter),
      });
  }
  return {
    source,
    opening: frames.get("opening") ?? Number.NaN,
    closing: frames.get("closing") ?? Number.NaN,
    lines,
  };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
