import { expect, onTestFinished } from "vitest";
import { payer } from "../../test/charges.ts";
import { auditDifferences, startService, test } from "../../test/fixtures.ts";
import { PayPage, textOf, visit } from "../../test/pay-page.ts";
import { TcpProxy } from "../../torture/network/tcp-proxy.ts";
import { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

test("the answer to a payment is lost: the page says that it is checking, and then the truth", async ({
  db,
  company,
}) => {
  const { service, proxy } = await serviceBehindProxy(db.url);
  const page = await PayPage.make(service, company);
  const code = await page.codeFor(payer);

  proxy.set("lose the answer");
  const { status, headers } = await page.post("confirm", { code });

  expect(proxy.sprung).toBe(1);
  expect([status, headers.get("location")]).toEqual([303, `${page.path}?checking=1`]);
  const truth = await page.get("?checking=1");
  expect(textOf(truth.html)).toContain("Paiement effectué");
  expect(textOf((await page.get()).html)).toContain("Paiement effectué");
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("while it is not known, the page claims neither, refreshes only without script, and can be stopped", async ({
  service,
  company,
}) => {
  const page = await PayPage.make(service, company);
  const { html } = await page.get("?checking=1");

  expect(textOf(html)).toContain("Nous vérifions votre paiement");
  expect(textOf(html)).not.toMatch(/débité|Paiement effectué|pas abouti/);
  expect(html).toContain('<noscript><meta http-equiv="refresh" content="10"/></noscript>');
  expect(html).toContain(`href="${page.path}?checking=still"`);
  expect((await page.get("?checking=still")).html).not.toContain("refresh");
});

test("503: the database is away; the page promises nothing, and works again as soon as it is back", async ({
  db,
  company,
}) => {
  const { service, proxy } = await serviceBehindProxy(db.url);
  const page = await PayPage.make(service, company);
  proxy.isAway = true;
  proxy.cut();

  for (const answer of [
    await page.get("?lang=en"),
    await page.post("code?lang=en", { phone: payer }),
  ]) {
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(textOf(answer.html)).toContain("Reload the page in a moment");
    expect(answer.html).toContain(`href="${page.path}?lang=en"`);
  }
  expect((await visit(service, "/pay/nothing")).status).toBe(404);
  proxy.isAway = false;
  expect((await page.get()).status).toBe(200);
});

test("500: a mistake of ours is a page with a number, and nothing of what went wrong", async ({
  db,
  service,
  company,
}) => {
  const page = await PayPage.make(service, company);
  await page.get();
  await db.database.query(sql`alter table checkout_browsers rename to elsewhere`);

  const answer = await page.get();
  expect(answer.status).toBe(500);
  expect(textOf(answer.html)).toContain("Une panne de notre côté");
  expect(textOf(answer.html)).toContain(answer.headers.get("x-correlation-id"));
  expect(answer.html).not.toMatch(/checkout_browsers|relation|select|\.ts/);
});

async function serviceBehindProxy(url: string) {
  const proxy = await TcpProxy.before(url);
  const through = proxy.rewrite(url);
  const database = new Database({ url: through, poolSize: 5, connectTimeoutMs: 1_000 });
  const service = await startService({ url: through, database }, { ROLES: "api" });
  onTestFinished(async () => {
    await service.stop();
    await database.close();
    await proxy.close().catch(() => {});
  });
  return { proxy, service };
}
