import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { sql } from "../../src/database/sql.ts";
import { makeBelongings, openSink } from "../../torture/api/belongings.ts";
import { consolePages } from "../../torture/api/console-pages.ts";
import { makeConsoleThings } from "../../torture/api/console-things.ts";
import { signInOperator, visit } from "../../torture/api/console-visitor.ts";
import { makeCompany, type TestDatabase, test } from "../fixtures.ts";
import { visit as openPage } from "../pay-page.ts";

const mark = "zq7mark";
const hostile = "\u202e\u2066\u200b\u200d\u00ad\u061c\u3164\ufe0f\u{e0041}\u2028\ue000";
const raw = new RegExp(Array.from(hostile).join("|"), "u");
/** What goes back with a form has to stay as it came. */
const fields = /<textarea\b[^>]*>[^<]*<\/textarea>|(?<= value=")[^"]*(?=")/g;

/** Puts the characters behind the mark wherever it is kept, also where nothing may be changed any more. */
async function spoilTexts({ url }: TestDatabase): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("set session_replication_role = replica");
    const { rows } = await client.query<{ name: string; column: string; type: string }>(`
      select format('%I.%I', table_schema, table_name) as name, format('%I', column_name) as column, data_type as type
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and data_type in ('text', 'jsonb', 'json')
        and is_generated = 'NEVER'`);
    const spoiled: string[] = [];
    for (const { name, column, type } of rows) {
      const { rowCount } = await client.query(
        `update ${name} set ${column} = replace(${column}::text, $1, $2)::${type} where ${column}::text like '%' || $1 || '%'`,
        [mark, mark + hostile],
      );
      if (rowCount !== 0) spoiled.push(`${name}.${column}`);
    }
    return spoiled;
  } finally {
    await client.end();
  }
}

test("no page shows a text of others that has something unseen in it", {
  timeout: 600_000,
}, async ({ db, service }) => {
  const company = await makeCompany(db.database, { name: mark });
  const sink = await openSink();
  onTestFinished(() => sink.close());
  const belongings = await makeBelongings(service.url, company.accessToken, mark, sink);
  const things = await makeConsoleThings(
    { url: service.url, database: db.database },
    { id: company.id, belongings },
    mark,
  );
  const operator = await signInOperator(db.database, `${mark}@operator.example`);
  const { paymentUrl } = (
    await service.call("POST", "/v1/charges", {
      token: company.accessToken,
      body: {
        amount: 5_000,
        externalId: `${mark}-page`,
        description: `${mark}${hostile}`,
        onCanceledRedirectionUrl: "https://shop.example/cart",
        onCompletedRedirectionUrl: "https://shop.example/thanks",
      },
    })
  ).body;
  await db.database.query(sql`update staff_sessions set device = ${mark}`);

  const spoiled = await spoilTexts(db);
  expect(spoiled.length, spoiled.join(" ")).toBeGreaterThan(15);

  const unseen: string[] = [];
  let marked = 0;
  const judge = (path: string, text: string) => {
    const left = text.replaceAll(fields, "");
    if (raw.test(left)) {
      const at = left.search(raw);
      unseen.push(`${path}: ${JSON.stringify(left.slice(Math.max(0, at - 60), at + 20))}`);
    }
    if (left.includes("U+202E")) marked += 1;
  };
  for (const { method, path, may, ids, fields: typed } of consolePages) {
    if (method !== "GET" || /\.(?:csv|xlsx|pdf|txt)$|\/(?:export|logo)$/.test(path)) continue;
    const address = path.replaceAll(
      /\{([\w-]+)\}/g,
      (_, kind: keyof typeof things.ids) => things.ids[kind],
    );
    const by = may.includes("operations") ? operator : things.people.owner;
    for (const query of [{}, typed]) {
      const page = await visit(service.url, { method, address, by, fields: query });
      expect([200, 303, 404], `${address}: ${page.text.slice(0, 500)}`).toContain(page.status);
      judge(address, page.text);
    }
    expect(Object.keys(ids).length).toBeLessThan(9);
  }
  const { pathname } = new URL(paymentUrl);
  for (const path of [pathname, `${pathname}?lang=en`])
    judge(path, (await openPage(service, path)).html);
  expect(unseen).toEqual([]);
  expect(marked).toBeGreaterThan(15);
});
