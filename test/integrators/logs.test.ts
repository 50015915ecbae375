import { expect } from "vitest";
import { Desk } from "../command.ts";
import { test } from "../fixtures.ts";
import { patience, send } from "../receiver.ts";

test("logs tail shows the last events and those that follow, until Ctrl-C", async ({
  service,
  company,
}) => {
  const { accessToken: token } = company;
  const desk = await Desk.make({ CAURI_TOKEN: token, CAURI_URL: service.url });
  await send(service, company, "r1");
  await send(service, company, "r2", { msisdn: "2250700000001" });
  const sequence = async () =>
    (await service.call("GET", "/v1/events?after=0", { token })).body.lastSequence;
  await expect.poll(sequence, patience).toBe(4);

  const past = await desk.run(["logs", "tail", "--no-follow"]);
  expect(past.code).toBe(0);
  const lines = past.stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(5);
  expect(past.stdout).toMatch(
    /\d {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}transactions\/completed {2}completed {2}5 000 XOF {2}r1 {2}txn_\w+\n/,
  );
  expect(past.stdout).toMatch(/failed {2}5 000 XOF {2}SERVICE_ACCOUNT_NOT_FOUND {2}r2/);
  expect(lines.at(-1)).toBe("4 events. To go on from here: --after 4");

  const two = await desk.run(["logs", "tail", "-n", "2", "--no-follow", "--json"]);
  const told = two.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(told.map((one) => one.sequence)).toEqual([3, 4, undefined]);
  expect(told.at(-1)).toEqual({ events: 2, lastSequence: 4 });
  const some = await desk.run(["logs", "tail", "--no-follow", "--topics", "transactions/failed"]);
  expect(some.stdout).toMatch(/^1 event\./m);
  const from = await desk.run(["logs", "tail", "--no-follow", "--after", "3"]);
  expect(from.stdout).toMatch(/^1 event\./m);

  const following = desk.type(["logs", "tail", "--last", "0"]);
  await expect.poll(() => following.shown, patience).toContain("Ctrl-C ends.");
  await send(service, company, "r3");
  await following.answer("  r3  ", "");
  await expect.poll(() => following.shown, patience).toContain("transactions/completed");
  await following.answer("transactions/completed", "\u0003");
  // The shell around it is interrupted as well, and ends with a code of its own.
  await following.end();
  expect(following.shown).toMatch(/2 events\. To go on from here: --after 6/);
  expect(following.shown).not.toContain("  r1  ");
});

test("logs tail refuses what it cannot follow, and its help says what it shows", async ({
  service,
  company,
}) => {
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
  const topic = await desk.json(["logs", "tail", "--no-follow", "--topics", "nonsense"]);
  expect(topic).toMatchObject({ code: 1, value: { error: { status: 400 } } });
  expect((await desk.run(["logs", "tail", "-n", "many"])).stderr).toContain("Give 0 to 1000.");
  const wrong = desk.with({ CAURI_TOKEN: `at_${"x".repeat(43)}` });
  expect(await wrong.json(["logs", "tail"])).toMatchObject({
    code: 1,
    value: { error: { code: "invalid_token" } },
  });
  const help = await desk.run(["logs", "tail", "--help"]);
  expect(help.stdout).toContain("the events of GET /v1/events");
  expect(help.stdout).toContain("is in the console");
});
