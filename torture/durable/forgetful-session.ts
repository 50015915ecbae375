import pg from "pg";

const rows = 200;

/** A session that takes the settings as it finds them writes rows, one commit each; returns how many were acknowledged. */
export async function acknowledgeRows(url: string): Promise<number> {
  return inSession(url, async (client) => {
    await client.query("create schema forgetful");
    await client.query("create table forgetful.rows (at integer)");
    for (let at = 0; at < rows; at += 1)
      await client.query("insert into forgetful.rows values ($1)", [at]);
    return rows;
  });
}

/** The table itself may be lost with its rows. */
export async function countLost(url: string, acknowledged: number): Promise<number> {
  return inSession(url, async (client) => {
    const { rows: tables } = await client.query<{ table: string | null }>(
      "select to_regclass('forgetful.rows') as table",
    );
    if (typeof tables[0]?.table !== "string") return acknowledged;
    const { rowCount } = await client.query("select from forgetful.rows");
    return acknowledged - (rowCount ?? 0);
  });
}

async function inSession<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
