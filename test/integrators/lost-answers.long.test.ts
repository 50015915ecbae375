import { expect } from "vitest";
import { Desk } from "../command.ts";
import { auditDifferences, startService, test } from "../fixtures.ts";
import { type Fate, startUnreliableWay } from "../unreliable-way.ts";

/** For one attempt whose answer is meant to arrive, however busy the machine is. */
const CAURI_TIMEOUT_MS = "20000";
/** For one that nothing will answer. A command makes three, with pauses of about a second between them. */
const inVain = { CAURI_TIMEOUT_MS: "800" };
/** The same, where it has to arrive all the same. */
const unanswered = { CAURI_TIMEOUT_MS: "3000" };
/** Far from any sum of these, so that it only catches what waits without an end. */
const longestMs = 120_000;

const send = ["transfers", "send", "--to", "2250700000000", "--amount", "5000", "--yes"];

test("what is not known is never guessed, and found out by running the command again", async ({
  db,
  service,
  company,
}) => {
  const way = await startUnreliableWay(service.url);
  const { accessToken: token } = company;
  const desk = await Desk.make({ CAURI_TOKEN: token, CAURI_URL: way.url, CAURI_TIMEOUT_MS });
  const balance = async () => (await service.call("GET", "/v1/balance", { token })).body.balance;

  const fates: readonly Fate[] = [
    "pass on, and lose the answer",
    "pass on, and say nothing",
    "pass on, and answer with a page",
  ];
  for (const [index, fate] of fates.entries()) {
    const reference = `lost ${index}`;
    way.decide = (method, path) =>
      method === "POST" && path === "/v1/transactions" ? fate : "pass";
    const started = performance.now();
    const sender = fate === "pass on, and say nothing" ? desk.with(unanswered) : desk;
    const lost = await sender.json([...send, "--reference", reference]);
    expect(performance.now() - started).toBeLessThan(longestMs);
    expect(lost, fate).toMatchObject({
      code: 4,
      value: { error: { code: "outcome_unknown", attempts: 3 } },
    });
    expect(lost.value.error.message).toContain(`cauri transfers get '${reference}'`);

    way.decide = () => "pass";
    const found = await desk.json([...send, "--reference", reference, "--wait"]);
    expect(found).toMatchObject({ code: 0, value: { status: "completed", sentBefore: true } });
    expect(await balance()).toBe(1_000_000 - 5_000 * (index + 1));
  }
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("a refund whose answer was lost is told with the words that find it out", async ({
  service,
  company,
}) => {
  const way = await startUnreliableWay(service.url);
  const { accessToken: token } = company;
  const desk = await Desk.make({ CAURI_TOKEN: token, CAURI_URL: way.url, CAURI_TIMEOUT_MS });
  const create = ["charges", "create", "--external-id", "o1", "--description", "x"];
  const { value: charge } = await desk.json([...create, "--amount", "9000"]);
  const body = { recipientMsisdn: "2250700000000" };
  await service.call("POST", `/v1/charges/${charge.id}/pay`, { token, body });

  way.decide = (_method, path) =>
    path.endsWith("/refund") ? "pass on, and lose the answer" : "pass";
  const lost = await desk.json(["charges", "refund", "o1", "--amount", "2000", "--yes"]);
  expect(lost).toMatchObject({ code: 4, value: { error: { code: "outcome_unknown" } } });
  const { idempotencyKey, message } = lost.value.error;
  const words = `cauri charges refund o1 --amount 2000 --key ${idempotencyKey}`;
  expect(message).toContain(words);

  way.decide = () => "pass";
  const again = await desk.json([...words.split(" ").slice(1), "--yes"]);
  expect(again).toMatchObject({ code: 0, value: { refunded: 2_000 } });
});

test("waiting ends in time, and what is still pending is called neither completed nor failed", async ({
  db,
  company,
}) => {
  // A node that takes transfers on and settles none.
  const service = await startService(db, { ROLES: "api" });
  try {
    const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
    const words = [...send, "--reference", "slow", "--wait", "--timeout", "1"];
    const open = await desk.json(words);
    expect(open).toMatchObject({ code: 4, value: { status: "pending" } });
    const shown = await desk.run(["transfers", "get", "slow", "--wait", "--timeout", "1"]);
    expect(shown.code).toBe(4);
    expect(shown.stdout).toContain("neither completed nor failed");
    const untold = ["trigger", "transactions/completed", "--timeout", "2"];
    expect(await desk.json(untold)).toMatchObject({
      code: 4,
      value: { error: { code: "no_event_yet", topic: "transactions/completed" } },
    });
  } finally {
    await service.stop();
  }
});

test("a service that is silent, somebody else's or not there is told in time, as JSON too", async ({
  service,
  company,
}) => {
  const way = await startUnreliableWay(service.url);
  const set = { CAURI_TOKEN: company.accessToken, CAURI_TIMEOUT_MS };
  const desk = await Desk.make({ ...set, CAURI_URL: way.url });
  const reading = ["transfers", "list"];
  const paying = [...send, "--reference", "r"];
  for (const [fate, code, args] of [
    ["say nothing", "timeout", reading],
    ["say nothing", "timeout", paying],
    ["say nothing", "timeout", ["trigger", "transactions/failed"]],
    ["say nothing", "timeout", ["charges", "get", "o1"]],
    ["pass on, and answer with a page", "unexpected_answer", reading],
    ["redirect", "unexpected_answer", paying],
  ] as const) {
    way.decide = () => fate;
    const started = performance.now();
    const failed = await (fate === "say nothing" ? desk.with(inVain) : desk).json(args);
    expect(performance.now() - started, args.join(" ")).toBeLessThan(longestMs);
    expect(failed, `${fate}: ${args.join(" ")}`).toMatchObject({
      code: 1,
      value: { error: { code } },
    });
  }
  const nobody = desk.with({ CAURI_URL: "http://127.0.0.1:9" });
  expect(await nobody.json(["transfers", "list"])).toMatchObject({
    code: 1,
    value: { error: { code: "unreachable" } },
  });
});
