import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { Desk } from "../command.ts";
import { auditDifferences, productionSettings, startService, test } from "../fixtures.ts";
import { type Fate, startUnreliableWay } from "../unreliable-way.ts";

const transfer = { type: "transfer", amount: 5_000, msisdn: "2250700000000" };

test("get prints what the API answers, and says under which name it was asked", async ({
  service,
  company,
}) => {
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
  const shown = await desk.run(["get", "/v1/balance"]);
  expect(shown.code).toBe(0);
  expect(JSON.parse(shown.stdout)).toEqual({ balance: 1_000_000, currency: "XOF" });
  expect(shown.stderr).toMatch(/^200, correlation id [\w-]{36}\n$/);

  for (const args of [
    ["/v1/charges", "-q", "limit=1", "--query", "status=paid"],
    ["/v1/charges?limit=1", "-q", "status=paid"],
  ])
    expect(await desk.json(["get", ...args])).toMatchObject({
      code: 0,
      value: { count: 0, limit: 1 },
    });
  const csv = await desk.run(["get", "/v1/statement.csv"]);
  expect([csv.code, csv.stdout.split("\n").length > 1]).toEqual([0, true]);
  const pdf = await desk.json(["get", "/v1/statement.pdf"]);
  expect(pdf).toMatchObject({ code: 1, value: { error: { code: "not_text" } } });

  const missing = await desk.run(["get", "/v1/transaction"]);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain("/v1/transactions");
  expect(missing.stderr).toMatch(/^Correlation id [\w-]{36}$/m);
  const unknown = await desk.json(["get", "/v1/charges", "-q", "page=2"]);
  expect(unknown).toMatchObject({ code: 1, value: { error: { status: 400 } } });
  for (const [args, said] of [
    [["v1/balance"], "path must begin with /"],
    [["//evil.example/v1"], "path must begin with /"],
    [["/v1/../metrics"], "path must begin with /"],
    [["/v1/charges", "-q", "limit"], "is no name with a value"],
    [["/v1/charges?limit=1", "-q", "limit=2"], "limit is given twice"],
  ] as const) {
    const refused = await desk.run(["get", ...args]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(said)]);
  }
});

test("post sends a body from the argument, a file or standard input, as it was written", async ({
  service,
  company,
}) => {
  const { accessToken: token } = company;
  const desk = await Desk.make({ CAURI_TOKEN: token, CAURI_URL: service.url });
  await writeFile(join(desk.home, "b.json"), JSON.stringify({ ...transfer, reference: "file" }));
  const bodies = [
    [JSON.stringify({ ...transfer, reference: "argument" }), ""],
    ["@b.json", ""],
    ["-", JSON.stringify({ ...transfer, reference: "input" })],
  ] as const;
  for (const [data, input] of bodies) {
    const sent = await desk.json(["post", "/v1/transactions", "-d", data], input);
    expect(sent, data).toMatchObject({ code: 0, value: { amount: 5_000 } });
  }
  const { body } = await service.call("GET", "/v1/transactions", { token });
  expect(body.data.map(({ reference }: { reference: string }) => reference)).toEqual([
    "input",
    "file",
    "argument",
  ]);

  const misspelled = { ...transfer, reference: "ignored", descripton: "x" };
  const ignored = await desk.run(["post", "/v1/transactions", "-d", JSON.stringify(misspelled)]);
  expect(ignored.code).toBe(0);
  expect(ignored.stderr).toMatch(/^The key of this request: cli-post-[\w-]{36}$/m);
  expect(ignored.stderr).toMatch(/^201, correlation id [\w-]{36}$/m);
  expect(ignored.stderr).toContain("Ignored fields: descripton.");
  // Read and written again it would be 5000: the service has to see what was written.
  const exact = `{"type":"transfer","msisdn":"2250700000000","reference":"exact","amount":5000.0000000000001}`;
  const refused = await desk.json(["post", "/v1/transactions", "-d", exact]);
  expect(refused).toMatchObject({ code: 1, value: { error: { status: 400 } } });

  for (const [data, input, said] of [
    ["{'amount':1}", "", "cannot be sent: "],
    ["5000", "", "it is a single value of JSON"],
    ["null", "", "it is a single value of JSON"],
    ["-", "", "it is empty"],
    ["@missing.json", "", "missing.json is not a file that can be read"],
  ] as const) {
    const wrong = await desk.run(["post", "/v1/transactions", "-d", data], input);
    expect([wrong.code, wrong.stderr], data).toEqual([1, expect.stringContaining(said)]);
  }
  expect((await service.call("GET", "/v1/transactions", { token })).body.count).toBe(4);
});

test("a write whose outcome is not known ends with 4 and its key, and under it happens once", async ({
  db,
  service,
  company,
}) => {
  const way = await startUnreliableWay(service.url);
  const { accessToken: token } = company;
  const desk = await Desk.make({ CAURI_TOKEN: token, CAURI_URL: way.url });
  const balance = async () => (await service.call("GET", "/v1/balance", { token })).body.balance;
  const fates: readonly Fate[] = [
    "pass on, and lose the answer",
    "pass on, and answer with a page",
  ];
  for (const [index, fate] of fates.entries()) {
    const asked: string[] = [];
    way.decide = (method) => {
      asked.push(method);
      return method === "POST" ? fate : "pass";
    };
    const data = JSON.stringify({ ...transfer, reference: `lost ${index}` });
    const lost = await desk.json(["post", "/v1/transactions", "-d", data]);
    expect(lost, fate).toMatchObject({
      code: 4,
      value: { error: { code: "outcome_unknown", attempts: 3 } },
    });
    expect(asked.filter((method) => method === "POST")).toHaveLength(3);
    const { idempotencyKey, message } = lost.value.error;
    expect(message).toContain(
      `cauri post /v1/transactions -d '${data}' --idempotency-key ${idempotencyKey}`,
    );
    expect(await balance()).toBe(1_000_000 - 5_000 * (index + 1));

    way.decide = () => "pass";
    const again = ["post", "/v1/transactions", "-d", data, "--idempotency-key", idempotencyKey];
    expect(await desk.json(again)).toMatchObject({
      code: 0,
      value: { reference: `lost ${index}` },
    });
    expect(await balance()).toBe(1_000_000 - 5_000 * (index + 1));
    const other = await desk.json([
      ...again.slice(0, 3),
      data.replace("5000", "6000"),
      ...again.slice(4),
    ]);
    expect(other.value.error.code).toBe("idempotency_key_reused");
  }
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("in production nothing is posted before a yes", async ({ db, company }) => {
  const service = await startService(db, productionSettings(db));
  try {
    const { accessToken: token } = company;
    const desk = await Desk.make({ CAURI_TOKEN: token, CAURI_URL: service.url });
    const data = JSON.stringify({ ...transfer, reference: "p1" });
    const post = ["post", "/v1/transactions", "-d", data];
    const count = async () => (await service.call("GET", "/v1/transactions", { token })).body.count;
    const unasked = await desk.run(post);
    expect([unasked.code, unasked.stderr]).toEqual([1, expect.stringContaining("nobody to ask")]);
    expect(unasked.stderr).toContain(`POST /v1/transactions\n${data}`);
    const asked = desk.type(["post", "/v1/transactions", "-d", data]);
    await asked.answer("Send this as Test in production?", "n\r");
    expect(await asked.end()).toBe(1);
    expect(await count()).toBe(0);
    expect((await desk.run([...post, "--yes"])).code).toBe(0);
    expect(await count()).toBe(1);
  } finally {
    await service.stop();
  }
});
