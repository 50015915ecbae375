import { expect, test } from "vitest";
import { chargeRequest } from "../charges.ts";
import { call, makeDataDir, runCommand, startProcess } from "../process.ts";
import { startReceiver } from "../receiver.ts";

// Each command is a process.

const person = "2250700000000";
const nobody = "2250733333333";

async function openDay() {
  const dataDir = await makeDataDir();
  const service = await startProcess(dataDir, { LOG_LEVEL: "warn" });
  const json = async (...args: string[]) => {
    const result = await runCommand(dataDir, [...args, "--json"]);
    expect(result.code, `${args.join(" ")}: ${result.stderr}`).toBe(0);
    return JSON.parse(result.stdout);
  };
  /** What a command that fails tells a program; nothing else is printed. */
  const failing = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(dataDir, [...args, "--json"]);
    expect([code, stdout]).toEqual([1, ""]);
    return JSON.parse(stderr).error;
  };
  const text = async (...args: string[]) => (await runCommand(dataDir, args)).stdout;
  const made = await json("company", "create", "Boutique Awa", "--fund", "900000");
  const post = (path: string, body: unknown) => call(service.url, made.accessToken, path, body);
  return { dataDir, service, json, failing, text, made, post };
}

test("money comes in, goes out and is corrected: once for a reference, asked above an amount, and in the trail", async () => {
  const { json, failing, text, made, service } = await openDay();
  const id = made.companyId;

  expect(
    await json("company", "fund", id, "1000000", "--reference", "bank 1", "--memo", "August"),
  ).toMatchObject({ balance: 1_900_000, memo: "August", replayed: false });
  expect(await failing("company", "fund", id, "1000001", "--reference", "bank 2")).toEqual({
    code: "not_confirmed",
    message: "Nothing was done: there is nobody to ask. With --yes the command does not ask.",
  });
  expect(
    await failing("company", "withdraw", id, "1000001", "--reference", "bank 2"),
  ).toMatchObject({
    code: "not_confirmed",
  });
  expect(await failing("company", "withdraw", id, "5000")).toEqual({
    code: "invalid_arguments",
    message: "required option '--reference <text>' not specified (--help has the options)",
  });
  const withdrawal = ["company", "withdraw", id, "1200000", "--reference", "bank 2", "--yes"];
  const first = await json(...withdrawal, "--memo", "to the bank");
  expect(first).toMatchObject({
    companyId: id,
    withdrawn: 1_200_000,
    balance: 700_000,
    reference: "bank 2",
    memo: "to the bank",
    replayed: false,
  });
  expect(await json(...withdrawal)).toMatchObject({
    id: first.id,
    balance: 700_000,
    replayed: true,
  });
  const other = await failing("company", "withdraw", id, "5", "--reference", "bank 2");
  expect(other.code).toBe("movement_reference_used");
  expect(other.message).toContain("1200000 francs");
  expect(await failing("company", "withdraw", id, "700001", "--reference", "b3")).toMatchObject({
    code: "account_too_low",
    message: expect.stringContaining("available holds 700000 francs"),
  });

  const adjust = ["company", "adjust", id, "2500", "--from", "available", "--reason", "forgotten"];
  expect((await failing(...adjust, "--to", "fees")).code).toBe("not_confirmed");
  for (const [account, why] of [
    ["in_flight", "pending transfers"],
    ["paid_out", "people's wallets"],
    ["available", "two different accounts"],
    ["elsewhere", "available, fees, external"],
  ] as const)
    expect((await failing(...adjust, "--to", account, "--yes")).message).toContain(why);
  const adjustment = [...adjust, "--to", "fees", "--yes", "--reference", "case 12"];
  expect(await json(...adjustment)).toMatchObject({ balance: 697_500, replayed: false });
  expect(await json(...adjustment)).toMatchObject({ balance: 697_500, replayed: true });

  const actions = (await json("trail", "--company", id)).map(
    (entry: { action: string; via: string }) => [entry.action, entry.via],
  );
  expect(actions).toEqual([
    ["company.adjusted", "company adjust"],
    ["company.withdrawn", "company withdraw"],
    ["company.funded", "company fund"],
    ["company.created", "company create"],
  ]);
  const unknown = `com_${"0".repeat(32)}`;
  expect(await failing("company", "show", unknown)).toEqual({
    code: "company_not_found",
    message: `There is no company ${unknown}.`,
  });
  const help = await text("company", "withdraw", "--help");
  expect(help).toMatch(/--reference <text> .*\(required\)/s);
  expect(help).not.toMatch(/--memo <text> [^-]*\(required\)/);
  expect(await json("audit")).toMatchObject({ clean: true });
  await service.end("SIGTERM");
});

test("fees and limits are changed under a running service, and shown with their time", async () => {
  const { json, failing, text, made, post, service } = await openDay();
  const send = (reference: string, amount: number) =>
    post("/v1/transactions", { type: "transfer", amount, msisdn: person, reference });
  expect((await send("before", 10_000)).body.fee).toBe(0);
  expect((await send("small", 100)).status).toBe(400);

  const fees = [
    "--transfer-fee-rate",
    "0.01",
    "--transfer-fee-max",
    "150",
    "--charge-fee-rate",
    "0.02",
  ];
  const changes = [...fees, "--transfer-min", "100", "--name", "Chez Awa"];
  const set = await json("company", "set", made.companyId, ...changes);
  expect(set).toMatchObject({
    name: "Chez Awa",
    price: { number: 2, transferFee: { rate: 0.01, flat: 0, max: 150 }, chargeFee: { rate: 0.02 } },
  });
  expect((await send("small", 100)).body.fee).toBe(1);
  expect((await send("large", 100_000)).body.fee).toBe(150);
  expect((await post("/v1/charges", { ...chargeRequest, amount: 5_000 })).body.fees.value).toBe(
    100,
  );
  await json("company", "set", made.companyId, "--transfer-fee-max", "none");
  expect((await send("larger", 100_000)).body.fee).toBe(1_000);
  const crossed = ["company", "set", made.companyId, "--transfer-max", "99"];
  expect(await failing(...crossed)).toMatchObject({ code: "crossed_bounds" });
  expect(await failing("company", "set", made.companyId)).toEqual({
    code: "nothing_to_change",
    message: "Nothing to change was given. `cauri company set --help` says what can be.",
  });

  const shown = await json("company", "show", made.companyId);
  expect(shown).toMatchObject({
    name: "Chez Awa",
    isFrozen: false,
    accounts: { paid_out: expect.any(Number) },
  });
  expect(
    shown.prices.map(({ number, transferFee }: { number: number; transferFee: object }) => [
      number,
      transferFee,
    ]),
  ).toEqual([
    [3, { rate: 0.01, flat: 0, min: 0, max: null }],
    [2, { rate: 0.01, flat: 0, min: 0, max: 150 }],
    [1, { rate: 0, flat: 0, min: 0, max: null }],
  ]);
  expect(await text("company", "show", made.companyId)).toContain("at most 150 XOF");
  const [entry] = await json("trail", "--company", made.companyId, "--limit", "1");
  expect(entry).toMatchObject({
    action: "company.changed",
    changes: { price: { from: 2, to: 3 }, transferFeeMax: { from: 150, to: null } },
  });
  expect(shown.aloneMax).toBe(0);
  await json("company", "set", made.companyId, "--alone-max", "250 000");
  expect(await text("company", "show", made.companyId)).toMatch(/alone +250 000 XOF by one person/);
  const [raised] = await json("trail", "--company", made.companyId, "--limit", "1");
  expect(raised).toMatchObject({
    via: "company set",
    changes: { aloneMax: { from: 0, to: 250_000 } },
  });
  const keys = ["company", "set", made.companyId, "--keys-alone-max"];
  expect(await json(...keys, "500 000")).toMatchObject({ keysAloneMax: 500_000 });
  expect(await text("company", "show", made.companyId)).toMatch(/keys +500 000 XOF within a day/);
  expect(await json(...keys, "off")).toMatchObject({ keysAloneMax: null });
  expect(await json("audit")).toMatchObject({ clean: true });
  await service.end("SIGTERM");
});

test("a transfer is found by any of its names, with its timeline; lists follow each other", async () => {
  const { json, failing, text, made, post, service } = await openDay();
  const id = made.companyId;
  const { url } = await startReceiver();
  for (const topic of ["transactions/started", "transactions/completed", "charge/events"])
    expect((await post("/v1/webhooks", { topic, url })).status).toBe(201);
  const sub = await post("/v1/sub-companies", {
    name: "Kiosk",
    logoUrl: "https://awa.example/a.png",
  });
  const transfer = { type: "transfer", amount: 5_000, msisdn: person };
  const sent = await post("/v1/transactions", {
    ...transfer,
    reference: "salary 7",
    subCompanyId: sub.body.id,
  });
  const rows = [person, nobody].map((msisdn) => ({
    ...transfer,
    msisdn,
    reference: `row ${msisdn}`,
  }));
  const batch = await post("/v1/transactions/batch", { transactions: rows });
  const charge = await post("/v1/charges", { ...chargeRequest, externalId: "order 1" });
  await post(`/v1/charges/${charge.body.id}/pay`, { recipientMsisdn: person });

  const { reference, serviceTransactionReference } = sent.body;
  await expect
    .poll(async () => statusesOf(await json("transfer", "show", reference)), {
      timeout: 120_000,
      interval: 500,
    })
    .toEqual(["completed", "delivered", "delivered"]);
  const shown = await json("transfer", "show", sent.body.id);
  expect(shown).toMatchObject({ companyId: id, id: sent.body.id, reference: "salary 7" });
  expect(
    shown.postings.map(({ event, debit, credit }: Record<string, string>) => [
      event,
      debit,
      credit,
    ]),
  ).toEqual([
    ["transfer.reserved", "available", "in_flight"],
    ["transfer.completed", "in_flight", "paid_out"],
  ]);
  expect(shown.events.map(({ topic }: { topic: string }) => topic)).toEqual([
    "transactions/started",
    "transactions/completed",
  ]);
  expect((await json("transfer", "show", serviceTransactionReference)).id).toBe(sent.body.id);
  const words = await text("transfer", "show", "salary 7", "--company", id);
  for (const word of ["accepted", "posting", "event", "delivered after 1 attempt", "answered 200"])
    expect(words).toContain(word);
  expect(await failing("transfer", "show", "salary 8")).toEqual({
    code: "nothing_found",
    message:
      "There is no transfer salary 8. Give its id or reference as the service has answered it.",
  });

  const second = await json("company", "create", "Second", "--fund", "100000");
  await call(service.url, second.accessToken, "/v1/transactions", { ...transfer, reference });
  expect(await failing("transfer", "show", reference)).toMatchObject({ code: "several_found" });
  expect((await json("transfer", "show", reference, "--company", id)).id).toBe(sent.body.id);

  const page = await json("transfer", "list", id, "--limit", "2");
  const rest = await json("transfer", "list", id, "--limit", "2", "--cursor", page.next);
  expect([...page.data, ...rest.data].map((row: { reference: string }) => row.reference)).toEqual([
    `row ${nobody}`,
    `row ${person}`,
    "salary 7",
  ]);
  expect(rest.next).toBe(null);
  for (const filter of [
    ["--status", "failed"],
    ["--msisdn", nobody],
    ["--batch", batch.body.id, "--status", "failed"],
  ])
    expect((await json("transfer", "list", id, ...filter)).data).toMatchObject([
      { reference: `row ${nobody}`, status: "failed" },
    ]);
  expect((await json("transfer", "list", id, "--sub-company", sub.body.id)).count).toBe(1);
  expect((await json("transfer", "list", id, "--until", "1h")).count).toBe(0);
  expect(await json("batch", "show", batch.body.id)).toMatchObject({
    status: "partially_completed",
    completedCount: 1,
    failedCount: 1,
    pendingCount: 0,
    failed: [{ reference: `row ${nobody}`, failureReason: "SERVICE_ACCOUNT_NOT_FOUND" }],
  });

  const paid = await json("charge", "show", "order 1");
  expect(paid).toMatchObject({ id: charge.body.id, status: "paid", isOverdue: false });
  expect(paid.postings).toMatchObject([{ event: "charge.paid", credit: "available" }]);
  expect(paid.events).toMatchObject([{ topic: "charge/events" }]);
  expect((await json("charge", "show", charge.body.id)).externalId).toBe("order 1");
  expect((await json("charge", "list", id, "--status", "paid")).data).toMatchObject([
    { externalId: "order 1" },
  ]);
  expect((await json("charge", "list", id, "--status", "due")).count).toBe(0);
  expect((await json("sub-company", "list", id)).data).toMatchObject([
    { id: sub.body.id, name: "Kiosk" },
  ]);

  const newest = await json("posting", "list", id, "--limit", "3");
  const older = await json("posting", "list", id, "--before", String(newest[2].number));
  expect([...newest, ...older].map(({ number }: { number: number }) => number)).toEqual(
    Array.from({ length: newest[0].number }, (_, index) => newest[0].number - index),
  );
  expect(older.at(-1)).toMatchObject({ event: "company.funded", availableAfter: 900_000 });
  await service.end("SIGTERM");
});

/** The status of a transfer, and of what its receivers were told. */
function statusesOf(shown: {
  status: string;
  events: { deliveries: { status: string }[] }[];
}): string[] {
  const deliveries = shown.events.flatMap((event) => event.deliveries);
  return [shown.status, ...deliveries.map(({ status }) => status)];
}
