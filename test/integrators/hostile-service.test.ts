import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Desk } from "../command.ts";
import { patience } from "../receiver.ts";

const token = `at_${"a".repeat(43)}`;
/** What a terminal obeys: a title, a colour, an 8-bit sequence, a turn of direction, and the end of a line. */
const evil = "\u001b]0;x\u0007\u001b[31m\u009b2J\u202e\nFORGED: all is well\r; touch /tmp/x";
const obeyed = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

type Answer = (path: string) => unknown;

const answers: Answer = (path) => {
  const list = { count: 1, limit: 15, cursor: { prev: null, next: `c${evil}` } };
  if (path === "/v1/company")
    return {
      id: `com_${evil}`,
      name: `Shop${evil}`,
      timeZone: "Africa/Dakar",
      transferAmount: { min: 5_000, max: 500_000 },
      service: {
        environment: "staging",
        version: `9${evil}`,
        brand: "service",
        testNumbers: { success: "2250700000000", failure: "2250700000001" },
      },
    };
  if (path === "/v1/events")
    return {
      lastSequence: 1,
      data: [
        {
          sequence: 1,
          topic: `transactions/completed${evil}`,
          createdAt: "2026-01-31T09:15:00.120Z",
          payload: { topic: "t", data: { id: `txn_1${evil}`, reference: `r\u009b2J\u202e` } },
        },
      ],
    };
  if (path === "/v1/webhooks")
    return { ...list, data: [{ id: "w1", topic: `t${evil}`, url: `u${evil}`, disabledAt: null }] };
  if (path.endsWith("/deliveries"))
    return {
      ...list,
      data: [
        {
          id: `1${evil}`,
          topic: `t${evil}`,
          status: "failed",
          attempts: 1,
          createdAt: "2026-01-31T09:15:00.120Z",
          updatedAt: "x",
          nextAttemptAt: null,
          waitingFor: `w${evil}`,
          log: [{ error: `e${evil}` }],
        },
      ],
    };
  const transfer = {
    id: `txn_1${evil}`,
    status: "pending",
    failureReason: `f${evil}`,
    msisdn: "2250700000000",
    amount: 5_000,
    fee: 0,
    reference: `r${evil}`,
    serviceTransactionReference: `s${evil}`,
    description: `d${evil}`,
    createdAt: "2026-01-31T09:15:00.120Z",
    updatedAt: `u${evil}`,
  };
  return { ...list, ...transfer, data: [transfer] };
};

test.for([
  ["login", "--token-stdin"],
  ["doctor"],
  ["doctor", "--json"],
  ["trigger", "transactions/completed", "--timeout", "5"],
  ["transfers", "list"],
  ["transfers", "get", "r1"],
  ["balance"],
  ["charges", "list"],
  ["charges", "pay", "o1"],
  ["customers", "check", "2250700000000"],
  ["webhooks", "list"],
  ["webhooks", "deliveries", "01a1dda4-2130-7000-8000-3899af8c508b"],
  ["webhooks", "redeliver", "01a1dda4-2130-7000-8000-3899af8c508b", "1"],
  ["webhooks", "delete", "01a1dda4-2130-7000-8000-3899af8c508b", "--yes"],
  ["logs", "tail", "--no-follow", "--after", "0"],
  ["get", "/v1/anything"],
  ["post", "/v1/anything", "-d", "{}", "--json"],
])(
  "nothing that a service says is obeyed by the terminal, nor looks like a line of ours: %s",
  async (args) => {
    const desk = await deskAt(await serve(answers));
    const { stdout, stderr } = await desk.run(args, token);
    expectHarmless(`${stdout}\n${stderr}`);
    // What is there to be copied into a shell is one word of it.
    expect(`${stdout}${stderr}`).not.toMatch(/cauri transfers [^'\n]*; touch/);
  },
);

test.for([["--json"], []])("the same of events, however they are printed: %s", async (options) => {
  const url = await serve(answers);
  const desk = await deskAt(url);
  const listening = desk.type(["webhooks", "listen", "--after", "0", ...options]);
  await expect.poll(() => listening.shown, patience).toContain("transactions/completed");
  await listening.answer("transactions/completed", "q");
  await listening.end();
  expectHarmless(listening.shown.replaceAll("\r\n", "\n"));
});

test.for<[string, Answer]>([
  ["null", () => null],
  ["a list where an object belongs", () => []],
  ["other types", () => ({ id: 1, name: { toString: 1 }, data: {}, cursor: 7, lastSequence: "x" })],
])("a service that answers %s is told as such, without a trace of ours", async ([, answer]) => {
  const desk = await deskAt(await serve(answer));
  for (const args of [["doctor"], ["transfers", "list"], ["login", "--token-stdin"]]) {
    const { code, stdout, stderr } = await desk.run(args, token);
    expect(code).toBe(1);
    expect(`${stdout}${stderr}`).toContain("does not speak as this service does");
    expect(stderr).not.toMatch(/^\s+at /m);
  }
});

test("a refusal that was made up is shown as text, with what is text in it", async () => {
  const message = `no${evil}`;
  const details = [
    { field: { toString: 1 }, message: { toString: 1 } },
    { field: `f${evil}`, message },
    null,
  ];
  const url = await serve(() => ({ statusCode: 422, message, code: `c${evil}`, details }), 422);
  const { code, stderr } = await (await deskAt(url)).run(["transfers", "list"]);
  expect(code).toBe(1);
  expect(stderr).toContain("The service refuses (422 c");
  expectHarmless(stderr);
});

function expectHarmless(shown: string): void {
  for (const line of shown.split("\n")) {
    expect(line).not.toMatch(obeyed);
    expect(line).not.toMatch(/^FORGED/);
  }
}

function deskAt(url: string): Promise<Desk> {
  return Desk.make({ CAURI_URL: url, CAURI_TOKEN: token });
}

async function serve(answer: Answer, status = 200): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    const path = (request.url ?? "").split("?")[0] ?? "";
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer(path)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
