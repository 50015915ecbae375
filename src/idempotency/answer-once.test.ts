import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect } from "vitest";
import {
  auditDifferences,
  makeCompany,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { fundCompany } from "../companies/fund-company.ts";
import { sql } from "../database/sql.ts";

const row = { amount: 5_000, msisdn: "2250700000000", reference: "rent" };
const [food, wood] = [
  { ...row, reference: "food" },
  { ...row, reference: "wood" },
];
const logo = "https://shop.example/logo.png";

/** For each address: a body, the same body written differently, and another body. */
const endpoints: Record<string, readonly [string, string, string]> = {
  "/v1/transactions": [
    JSON.stringify({ type: "transfer", ...row, metadata: { a: 1, b: [{ c: 2, d: 3 }] } }),
    `{ "metadata": {"b":[{"d":3,"c":2}],"a":1}, "reference":"rent", "msisdn":"2250700000000", "amount":5000.0, "type":"transfer" }`,
    JSON.stringify({ type: "transfer", ...row, metadata: { a: 1, b: [{ c: 2, d: 4 }] } }),
  ],
  "/v1/transactions/batch": [
    JSON.stringify({ transactions: [food, wood] }),
    `{"transactions":[ {"reference":"food","amount":5000,"msisdn":"2250700000000"}, {"msisdn":"2250700000000","reference":"wood","amount":5000} ]}`,
    JSON.stringify({ transactions: [wood, food] }),
  ],
  "/v1/sub-companies": [
    JSON.stringify({ name: "Shop", logoUrl: logo }),
    `{"logoUrl":"${logo}","name":"Sh\\u006fp"}`,
    JSON.stringify({ name: "Shop 2", logoUrl: logo }),
  ],
};

describe("Idempotency-Key", () => {
  test.for(Object.entries(endpoints))(
    "201 again, byte for byte, and one effect: %s",
    async ([path, [body, rewritten, other]], { db, service, company }) => {
      const first = await send(service, company, path, "key 1", body);
      expect([first.status, first.replayed]).toEqual([201, null]);
      await untilSettled(db.database);
      for (const again of [body, rewritten]) {
        const answer = await send(service, company, path, "key 1", again);
        expect(answer).toEqual({ ...first, replayed: "true" });
      }

      // What was answered first stays the answer, though the transfer has ended meanwhile.
      const { status } = JSON.parse(first.text) as { status?: string };
      expect(status).toBe(
        { "/v1/transactions": "pending", "/v1/transactions/batch": "processing" }[path],
      );

      const reused = await send(service, company, path, "key 1", other);
      expect(reused).toMatchObject({ status: 422, replayed: null });
      expect(JSON.parse(reused.text)).toMatchObject({
        error: "Unprocessable Entity",
        code: "idempotency_key_reused",
      });
      await expectOneEffect(db, service, company, path);
    },
  );

  test("201 twenty times at once, all the same, and one effect", async ({ db, service }) => {
    for (const [path, [body]] of Object.entries(endpoints)) {
      const company = await makeCompany(db.database);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => send(service, company, path, "key 1", body)),
      );
      expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1);
      const [{ text } = { text: "" }] = answers;
      for (const answer of answers) expect(answer).toMatchObject({ status: 201, text });
      await untilSettled(db.database);
      await expectOneEffect(db, service, company, path);
    }
  });

  test("402 keeps nothing: the same key and body succeed after funding", async ({
    db,
    service,
  }) => {
    const company = await makeCompany(db.database, { fund: 4_999 });
    for (const path of ["/v1/transactions", "/v1/transactions/batch"]) {
      const body = String(endpoints[path]?.[0]);
      expect((await send(service, company, path, path, body)).status).toBe(402);
      await fundCompany(db.database, new Date(), { companyId: company.id, amount: 10_000 });
      const accepted = await send(service, company, path, path, body);
      expect([accepted.status, accepted.replayed]).toEqual([201, null]);
      const again = await send(service, company, path, path, body);
      expect(again).toEqual({ ...accepted, replayed: "true" });
    }
    await untilSettled(db.database);
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("201: the keys of two companies do not meet", async ({ db, service, company }) => {
    const other = await makeCompany(db.database);
    for (const [path, [body]] of Object.entries(endpoints)) {
      const ours = await send(service, company, path, path, body);
      const theirs = await send(service, other, path, path, body);
      expect([ours.status, theirs.status]).toEqual([201, 201]);
      expect(theirs.replayed).toBeNull();
      expect(theirs.text).not.toBe(ours.text);
    }
  });

  test("201 again, though the sub-company was made inactive meanwhile", async ({
    service,
    company,
  }) => {
    const { accessToken: token } = company;
    const shop = { name: "Shop", logoUrl: logo };
    const sub = await service.call("POST", "/v1/sub-companies", { token, body: shop });
    const subCompanyId: string = sub.body.id;
    const bodies: Record<string, string> = {
      "/v1/transactions": JSON.stringify({ type: "transfer", ...row, subCompanyId }),
      "/v1/transactions/batch": JSON.stringify({
        subCompanyId,
        transactions: [food],
      }),
    };
    const first: Record<string, Sent> = {};
    for (const [path, body] of Object.entries(bodies))
      first[path] = await send(service, company, path, path, body);
    await service.call("PUT", `/v1/sub-companies/${subCompanyId}`, {
      token,
      body: { isActive: false },
    });

    for (const [path, body] of Object.entries(bodies)) {
      const again = await send(service, company, path, path, body);
      expect(again, path).toEqual({ ...first[path], replayed: "true" });
    }
  });

  test("422: the key of one address at another", async ({ service, company }) => {
    const paths = Object.keys(endpoints);
    for (const path of paths) {
      const [body] = endpoints[path] ?? [];
      const used = await send(service, company, path, path, String(body));
      expect(used.status).toBe(201);
      for (const elsewhere of paths.filter((one) => one !== path)) {
        const answer = await send(
          service,
          company,
          elsewhere,
          path,
          String(endpoints[elsewhere]?.[0]),
        );
        expect(answer.status, `${path} ${elsewhere}`).toBe(422);
        expect(answer.text).toContain("idempotency_key_reused");
      }
    }
  });

  test("422: the key of one address at another while the first request is still under way", async ({
    db,
    service,
    company,
  }) => {
    const held: Promise<Sent>[] = [];
    await db.database.transaction(async (tx) => {
      await tx.query(sql`lock table sub_companies in share mode`);
      for (const [path, waiting] of Object.entries({
        "/v1/sub-companies": 1,
        "/v1/transactions": 2,
      })) {
        held.push(send(service, company, path, "k", String(endpoints[path]?.[0])));
        await untilWaiting(db, waiting);
      }
    });
    const answers = await Promise.all(held);

    expect(answers.map(({ status }) => status)).toEqual([201, 422]);
    expect(answers[1]?.text).toContain("idempotency_key_reused");
  });

  test("400: an empty key, one of 256 characters and one that is not ASCII; nothing is written", async ({
    service,
    company,
  }) => {
    for (const [path, [body]] of Object.entries(endpoints)) {
      for (const key of ["", "k".repeat(256), "clé", "a\tb", "\u0080"])
        expect((await send(service, company, path, key, body)).status, path + key).toBe(400);
      const { body: page } = await service.call("GET", path.replace("/batch", ""), {
        token: company.accessToken,
      });
      expect(page.data).toEqual([]);
    }
    const [body] = endpoints["/v1/transactions"] ?? [];
    const longest = await send(service, company, "/v1/transactions", "~".repeat(255), String(body));
    expect(longest.status).toBe(201);
  });
});

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly replayed: string | null;
}

async function send(
  service: TestService,
  company: TestCompany,
  path: string,
  key: string,
  body: string,
): Promise<Sent> {
  const answer = await fetch(service.url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${company.accessToken}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body,
  });
  const replayed = answer.headers.get("idempotency-replayed");
  return { status: answer.status, text: await answer.text(), replayed };
}

/** One transfer of 5 000, one batch of two, or one sub-company, and the balance that is left. */
async function expectOneEffect(
  db: TestDatabase,
  service: TestService,
  { accessToken: token }: TestCompany,
  path: string,
) {
  const transfers = { "/v1/transactions": 1, "/v1/transactions/batch": 2 }[path] ?? 0;
  const expected = {
    "/v1/transactions": transfers,
    "/v1/batches": path.endsWith("/batch") ? 1 : 0,
    "/v1/sub-companies": path === "/v1/sub-companies" ? 1 : 0,
  };
  for (const [list, count] of Object.entries(expected))
    expect((await service.call("GET", list, { token })).body.count, list).toBe(count);
  const { body } = await service.call("GET", "/v1/balance", { token });
  expect(body.balance).toBe(1_000_000 - transfers * 5_000);
  expect(await auditDifferences(db.database)).toEqual([]);
}

async function untilWaiting({ database }: TestDatabase, count: number): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const rows = await database.query(sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    if (rows.length >= count) return;
    await sleep(20);
  }
  throw new Error(`fewer than ${count} requests wait for a lock`);
}
