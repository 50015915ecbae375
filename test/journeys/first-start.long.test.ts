import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chooseTestPort } from "../free-port.ts";
import {
  call,
  demoToken,
  makeEmptyDataDir,
  postmasterPid,
  runCommand,
  startProcess,
} from "../process.ts";
import { patience } from "../receiver.ts";

test("a first start ends with a banner whose lines work when pasted", async () => {
  const dataDir = await makeEmptyDataDir();
  // A port that is known beforehand, because it stands in the address of a payment page.
  const service = await startProcess(dataDir, { PORT: String(await chooseTestPort()) });
  expect(service.output).toContain("2250700000000");
  expect(service.output).toContain("2250700000001");
  expect(service.output).toMatch(/company id\s+com_[0-9a-f]{32}/);
  expect(service.output).toMatch(/access token\s+at_\S{43}/);
  expect(service.output).toMatch(/secret key\s+sk_\S{43}/);
  const demo = JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8")) as {
    readonly people: readonly { readonly role: string; readonly link: string }[];
  };
  expect(demo.people.map(({ role }) => role)).toEqual(["owner", "approver"]);
  for (const { role, link } of demo.people) {
    expect(service.output).toContain(`${role.padEnd(9)} ${service.url}${link}`);
    expect((await fetch(`${service.url}${link}`)).status).toBe(200);
  }
  expect((await stat(join(dataDir, "demo.json"))).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, "demo.env"))).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, "master.key"))).mode & 0o777).toBe(0o600);

  const [send, look, balance, charge, open] = curlLines(service.output);
  expect(JSON.parse(await shell(send))).toMatchObject({ status: "pending", amount: 5_000 });
  await untilCompleted(look);
  expect(JSON.parse(await shell(balance))).toEqual({ balance: 9_995_000, currency: "XOF" });
  expect(JSON.parse(await shell(charge))).toMatchObject({ status: "created", amount: 25_000 });
  const page = await fetch((await shell(open)).trim());
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Two boubous")]);

  expect(await service.end("SIGTERM")).toBe(0);
  expect(await postmasterPid(dataDir)).toBeUndefined();

  const again = await startProcess(dataDir);
  expect(again.output).not.toContain(await demoToken(dataDir));
  const [, , balanceAgain] = curlLines(again.output);
  expect(JSON.parse(await shell(balanceAgain))).toEqual({ balance: 9_995_000, currency: "XOF" });
  // Ctrl-C under npm arrives twice, and still is one request to stop in order.
  again.process.kill("SIGINT");
  expect(await again.end("SIGINT")).toBe(0);
  expect(await postmasterPid(dataDir)).toBeUndefined();
});

test("a second start on the same folder says that one is running, and where", async () => {
  const dataDir = await makeEmptyDataDir();
  const service = await startProcess(dataDir);

  const second = await runCommand(dataDir, ["serve"], { PORT: "0" });

  expect(second.code).toBe(1);
  expect(second.stderr).toContain(`already running on ${dataDir} at ${service.url}`);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  expect(await service.end("SIGTERM")).toBe(0);
});

test("SIGTERM finishes the requests in hand", async () => {
  const dataDir = await makeEmptyDataDir();
  const service = await startProcess(dataDir, { LOG_LEVEL: "warn" });
  const token = await demoToken(dataDir);
  const answers = Array.from({ length: 200 }, (_, index) =>
    call(service.url, token, "/v1/transactions", {
      type: "transfer",
      amount: 5_000,
      msisdn: "2250700000000",
      reference: `r${index}`,
    }).catch(() => undefined),
  );
  // One answer is there, so the others are in hand, on connections that their client keeps open.
  await Promise.race(answers);
  expect(await service.end("SIGTERM")).toBe(0);

  // Whoever was answered was answered truly: every 201 is in the books, and nothing that got no answer is torn.
  const accepted = (await Promise.all(answers))
    .filter((answer) => answer?.status === 201)
    .map((answer) => answer?.body.reference as string);
  const again = await startProcess(dataDir, { LOG_LEVEL: "warn" });
  for (const reference of accepted) {
    expect(
      (await call(again.url, token, `/v1/transactions?reference=${reference}`)).body.count,
    ).toBe(1);
  }
  expect((await runCommand(dataDir, ["audit", "--json"])).code).toBe(0);
  await again.end("SIGTERM");
});

test("production refuses to start unprepared, naming everything that is missing", async () => {
  const { code, stderr } = await runCommand(await makeEmptyDataDir(), ["serve"], {
    CAURI_ENV: "production",
  });

  expect(code).toBe(1);
  for (const name of [
    "DATABASE_URL",
    "MASTER_KEY",
    "PUBLIC_URL",
    "SMS_GATEWAY_URL",
    "SMS_GATEWAY_TOKEN",
    "OPERATOR_NAME",
    "OPERATOR_TERMS_URL",
    "OPERATOR_SUPPORT",
  ])
    expect(stderr).toContain(`${name} is required in production`);
});

test("logs carry correlation ids, and neither tokens nor phone numbers", async () => {
  const dataDir = await makeEmptyDataDir();
  const service = await startProcess(dataDir, { LOG_LEVEL: "trace" });
  const [banner] = [service.output];
  const token = await demoToken(dataDir);
  await fetch(`${service.url}/v1/transactions/customers/check?msisdn=2250755555555`, {
    headers: { authorization: `Bearer ${token}`, "x-correlation-id": "my-own-id" },
  });
  await call(service.url, token, "/v1/transactions", {
    type: "transfer",
    amount: 5_000,
    msisdn: "+2250755555555",
    reference: "r1",
  });
  await call(service.url, "at_wrong", "/v1/balance");
  await expect
    .poll(
      async () => (await call(service.url, token, "/v1/transactions?status=pending")).body.count,
      patience,
    )
    .toBe(0);
  await service.end("SIGTERM");

  const logged = service.output.replace(banner ?? "", "");
  expect(logged).toContain('"correlationId":"my-own-id"');
  expect(logged).not.toContain("0755555555");
  expect(logged).not.toContain(token);
  expect(logged).not.toContain("at_wrong");
  for (const line of logged.trim().split("\n"))
    expect(() => JSON.parse(line) as unknown, line).not.toThrow();
});

/** Each as it is pasted into a terminal in which the line that names the settings was pasted before. */
function curlLines(output: string): [string, string, string, string, string] {
  const pasted = output.replaceAll("\\\n", " ").split("\n");
  const settings = pasted.find((line) => line.trim().startsWith(". ")) ?? "";
  const lines = pasted
    .filter((line) => line.trim().startsWith("curl "))
    .map((line) => `${settings}\n${line}`);
  expect(lines).toHaveLength(5);
  return lines as [string, string, string, string, string];
}

async function untilCompleted(look: string): Promise<void> {
  const status = async () =>
    (JSON.parse(await shell(look)) as { data: { status: string }[] }).data[0]?.status;
  await expect.poll(status, patience).toBe("completed");
}

function shell(line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile("sh", ["-c", line], (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
  });
}
