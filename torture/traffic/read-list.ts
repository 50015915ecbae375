import type { Client } from "./client.ts";

/** The most rows a page may have. */
const pageLimit = 100;

export interface Page<Row> {
  readonly cursor: { readonly prev: string | null; readonly next: string | null };
  readonly data: readonly Row[];
}

type Query = Readonly<Record<string, string | undefined>>;

export async function readPage<Row>(
  client: Client,
  path: string,
  query: Query = {},
): Promise<Page<Row>> {
  const given = Object.entries({ limit: String(pageLimit), ...query }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return client.get(`${path}?${new URLSearchParams(given).toString()}`);
}

/** Every row of a list, newest first, page by page. */
export async function* readList<Row>(
  client: Client,
  path: string,
  query: Query = {},
): AsyncGenerator<Row> {
  let cursor: string | undefined;
  do {
    const page: Page<Row> = await readPage(client, path, { ...query, cursor });
    yield* page.data;
    cursor = page.cursor.next ?? undefined;
  } while (cursor !== undefined);
}
