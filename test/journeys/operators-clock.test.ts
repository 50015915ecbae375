import { expect, test } from "vitest";
import { call, makeDataDir, runCommand, startProcess } from "../process.ts";

// Each command is a process.

test("operators are told times where the company is, and programs in UTC", async () => {
  const dataDir = await makeDataDir();
  const service = await startProcess(dataDir, { LOG_LEVEL: "warn" });
  const text = async (...args: string[]) => (await runCommand(dataDir, args)).stdout;
  const json = async (...args: string[]) => JSON.parse(await text(...args, "--json"));
  const made = await json("company", "create", "Awa", "--fund", "900000");
  const id = made.companyId;
  await json("company", "set", id, "--time-zone", "Africa/Niamey");
  const sent = await call(service.url, made.accessToken, "/v1/transactions", {
    type: "transfer",
    amount: 5_000,
    msisdn: "2250700000000",
    reference: "salary 7",
  });
  const { createdAt } = sent.body as { createdAt: string };
  const hourLater = new Date(Date.parse(createdAt) + 3_600_000).toISOString();
  const there = hourLater.slice(0, 19).replace("T", " ");

  expect(await text("transfer", "list", id)).toContain(there);
  expect(await text("transfer", "show", sent.body.id)).toContain(there);
  expect(await text("posting", "list", id)).toContain(`  ${sent.body.id}\n`);
  for (const command of [
    ["transfer", "list", id],
    ["transfer", "show", sent.body.id],
    ["charge", "list", id],
    ["sub-company", "list", id],
    ["posting", "list", id],
    ["company", "show", id],
    ["key", "list", id],
    ["trail", "--company", id],
  ]) {
    const told = await text(...command);
    expect(told, command.join(" ")).toContain("\nTimes are those of Africa/Niamey.");
    expect(told, command.join(" ")).not.toMatch(/\dT\d\d:/);
  }
  for (const command of [["company", "list"], ["trail"]])
    expect(await text(...command)).toContain("\nTimes are those of Africa/Dakar.");
  expect((await json("transfer", "show", sent.body.id)).createdAt).toBe(createdAt);
  for (const since of [there, hourLater.slice(0, 10)])
    expect((await json("transfer", "list", id, "--since", since)).count).toBe(1);
  await service.end("SIGTERM");
});
