import { expect } from "vitest";
import { Desk } from "../command.ts";
import { auditDifferences, test } from "../fixtures.ts";

const send = ["transfers", "send", "--to", "+2250700000000", "--amount", "5 000"];

test("a transfer is sent once however often the command is run, and its end is an exit code", async ({
  db,
  service,
  company,
}) => {
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
  const balance = async () =>
    (await service.call("GET", "/v1/balance", { token: company.accessToken })).body.balance;

  const unasked = await desk.run([...send, "--reference", "salary 7"]);
  expect([unasked.code, unasked.stdout]).toEqual([1, ""]);
  expect(unasked.stderr).toMatch(/balance after +995 000 XOF/);
  expect(unasked.stderr).toContain("Test Success");
  expect(await balance()).toBe(1_000_000);

  const words = [...send, "--reference", "salary 7", "--yes", "--wait"];
  const first = await desk.json(words);
  expect(first).toMatchObject({
    code: 0,
    value: { status: "completed", amount: 5_000, reference: "salary 7", sentBefore: false },
  });
  for (let time = 0; time < 2; time += 1) {
    const again = await desk.json(words);
    expect(again).toMatchObject({ code: 0, value: { id: first.value.id, sentBefore: true } });
  }
  const another = ["transfers", "send", "--to", "2250700000000", "--reference", "salary 7"];
  const taken = await desk.json([...another, "--amount", "6000", "--yes"]);
  expect(taken).toMatchObject({ code: 1, value: { error: { code: "reference_taken" } } });
  expect(await balance()).toBe(995_000);

  const failing = ["transfers", "send", "--to", "2250700000001", "--amount", "5000"];
  const failed = await desk.json([...failing, "--reference", "f1", "--yes", "--wait"]);
  expect(failed).toMatchObject({
    code: 3,
    value: { status: "failed", failureReason: "SERVICE_ACCOUNT_NOT_FOUND" },
  });
  expect(await balance()).toBe(995_000);

  for (const text of [
    first.value.id,
    "salary 7",
    first.value.serviceTransactionReference.toLowerCase(),
  ])
    expect((await desk.json(["transfers", "get", text])).value.id).toBe(first.value.id);
  const nothing = await desk.json(["transfers", "get", "no such"]);
  expect(nothing).toMatchObject({ code: 1, value: { error: { code: "nothing_found" } } });

  const page = await desk.json(["transfers", "list", "--limit", "1"]);
  expect(page.value).toMatchObject({ count: 1, data: [{ reference: "f1" }] });
  const next = await desk.json(["transfers", "list", "--cursor", page.value.next]);
  expect(next.value).toMatchObject({ count: 1, next: null, data: [{ reference: "salary 7" }] });
  const some = await desk.json(["transfers", "list", "--status", "failed", "--since", "1h"]);
  expect(some.value.count).toBe(1);
  expect((await desk.run(["transfers", "list", "--limit", "101"])).stderr).toContain("1 to 100");
  const shown = await desk.run(["transfers", "list"]);
  expect(shown.stdout).toMatch(/^TRANSFER +STATUS +AMOUNT/);

  const poor = await desk.json([...send.slice(0, -1), "500000", "--reference", "p1", "--yes"]);
  expect(poor.code).toBe(0);
  const broke = await desk.json([...send.slice(0, -1), "500000", "--reference", "p2", "--yes"]);
  expect(broke).toMatchObject({
    code: 1,
    value: { error: { code: "insufficient_funds", status: 402 } },
  });
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("at a terminal nothing is sent before a yes", async ({ service, company }) => {
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
  const refused = desk.type([...send, "--reference", "t1"]);
  await refused.answer("Send 5 000 XOF to +225 07 00 00 00 00?", "n\r");
  expect(await refused.end()).toBe(1);
  expect(refused.shown).toContain("Nothing was done: the answer was no.");

  const agreed = desk.type([...send, "--reference", "t1", "--wait"]);
  await agreed.answer("Send 5 000 XOF to +225 07 00 00 00 00?", "y\r");
  expect(await agreed.end()).toBe(0);
  expect(agreed.shown).toMatch(/status +completed/);
  expect((await desk.json(["transfers", "list"])).value.count).toBe(1);
});

test("a charge is made once, paid, and given back in parts under a key", async ({
  service,
  company,
}) => {
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
  const create = ["charges", "create", "--external-id", "order 1", "--description", "Two boubous"];
  const made = await desk.json([...create, "--amount", "15000"]);
  expect(made).toMatchObject({ code: 0, value: { status: "created", madeBefore: false } });
  expect(made.value.paymentUrl).toContain("/pay/");
  const again = await desk.json([...create, "--amount", "15000"]);
  expect(again.value).toMatchObject({ id: made.value.id, madeBefore: true });
  const taken = await desk.json([...create, "--amount", "16000"]);
  expect(taken).toMatchObject({ code: 1, value: { error: { code: "reference_taken" } } });
  const shown = await desk.run(["charges", "get", "order 1"]);
  expect(shown.stdout).toContain(made.value.paymentUrl);

  const early = await desk.json(["charges", "refund", "order 1", "--yes"]);
  expect(early.value.error.code).toBe("charge_not_refundable");
  const token = company.accessToken;
  const body = { recipientMsisdn: "2250700000000" };
  await service.call("POST", `/v1/charges/${made.value.id}/pay`, { token, body });
  const unasked = await desk.run(["charges", "refund", "order 1"]);
  expect([unasked.code, unasked.stdout]).toEqual([1, ""]);

  const reason = ["--reason", "one was too small"];
  const part = ["charges", "refund", made.value.id, "--amount", "5000", "--yes", ...reason];
  const first = await desk.json(part);
  expect(first.value.transactions.at(-1)).toMatchObject({ type: "refund", reason: reason[1] });
  const told = await desk.run(["charges", "get", "order 1"]);
  expect(told.stdout).toMatch(/refund +completed, 5 000 XOF, 2250700000000: one was too small/);
  expect(first.value).toMatchObject({ status: "refunded_partially", refunded: 5_000 });
  const key = first.value.idempotencyKey;
  expect((await desk.json([...part, "--key", key])).value.refunded).toBe(5_000);
  expect((await desk.json(["charges", "get", "order 1"])).value.refunded).toBe(5_000);
  const rest = desk.type(["charges", "refund", "order 1"]);
  await rest.answer("Give all that is left, 10 000 XOF, back to the payer?", "yes\r");
  expect(await rest.end()).toBe(0);
  expect((await desk.json(["charges", "get", "order 1"])).value.status).toBe("refunded");
});
