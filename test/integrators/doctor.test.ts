import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { version } from "../../src/kernel/version.ts";
import { Desk } from "../command.ts";
import { test } from "../fixtures.ts";
import { patience, send, startReceiver, subscribe, untilAttempts } from "../receiver.ts";
import { startUnreliableWay } from "../unreliable-way.ts";

interface Check {
  readonly name: string;
  readonly state: string;
  readonly message: string;
  readonly advice: string | null;
}

async function examine(desk: Desk) {
  const { code, value } = await desk.json(["doctor"]);
  const checks = value.checks as Check[];
  const find = (name: string) => checks.find((one) => one.name === name);
  return { code, ok: value.ok as boolean, checks, find };
}

test("where nothing is wrong, every line says so", async ({ service, company }) => {
  const desk = await Desk.make();
  const keys = `${company.accessToken}\nsk_${"k".repeat(43)}`;
  await desk.run(["login", "--url", service.url, "--token-stdin"], keys);
  const { code, ok, checks } = await examine(desk);

  expect([code, ok]).toEqual([0, true]);
  expect(checks.map(({ name, state }) => [name, state])).toEqual(
    [
      "credentials",
      "secret key",
      "address",
      "name",
      "connection",
      "token",
      "environment",
      "version",
      "latency",
      "clock",
      "webhooks",
    ].map((name) => [name, "ok"]),
  );
  const shown = await desk.run(["doctor"]);
  expect(shown.stdout).toMatch(/^✓ credentials[\s\S]*\n\nNothing is wrong\.\n$/);
});

test("webhooks that fail or are disabled are named with what to do", async ({
  db,
  service,
  company,
}) => {
  const refusing = await startReceiver((_received, response) => response.writeHead(401).end());
  const gone = await startReceiver((_received, response) => response.writeHead(410).end());
  const good = await startReceiver();
  for (const { url } of [refusing, gone, good])
    await subscribe(service, company, url, ["transactions/completed"]);
  await send(service, company, "r1");
  await untilAttempts(db.database, 3);
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
  await expect.poll(async () => (await examine(desk)).code, patience).toBe(1);
  const { checks } = await examine(desk);
  const about = (url: string) => checks.find(({ message }) => message.includes(url));

  expect(about(good.url)).toMatchObject({ state: "ok" });
  expect(about(refusing.url)).toMatchObject({
    state: "problem",
    advice: expect.stringContaining("cauri verify-signature"),
  });
  expect(about(gone.url)).toMatchObject({
    state: "problem",
    message: expect.stringContaining("disabled"),
  });
});

test("a clock that is off, a release that is another, and a token that is not good", async ({
  service,
  company,
}) => {
  const way = await startUnreliableWay(service.url);
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: way.url });
  for (const [minutes, state] of [
    [-1, "warning"],
    [1, "warning"],
    [-10, "problem"],
    [10, "problem"],
  ] as const) {
    way.headers = { date: new Date(Date.now() + minutes * 60_000).toUTCString() };
    const { code, find } = await examine(desk);
    expect([code, find("clock")?.state]).toEqual([state === "problem" ? 1 : 0, state]);
    expect(find("clock")?.message).toContain(minutes < 0 ? "ahead of" : "behind");
  }
  way.headers = {};
  way.rewrite = (body) => body.replace(`"version":"${version}"`, '"version":"9.9.9"');
  const newer = await examine(desk);
  expect([newer.code, newer.find("version")]).toMatchObject([0, { state: "warning" }]);
  expect(newer.find("version")?.message).toContain("the service is 9.9.9");
  const wrong = desk.with({ CAURI_TOKEN: `at_${"x".repeat(43)}` });
  const refused = await examine(wrong);
  expect([refused.code, refused.find("token")]).toMatchObject([
    1,
    { state: "problem", advice: expect.stringContaining("cauri login") },
  ]);
  expect(refused.find("clock")?.state).toBe("ok");

  way.decide = () => "pass on, and answer with a page";
  expect((await examine(desk)).find("token")?.message).toContain("does not speak as this service");
});

test("what stands in the way is told apart: a name, a port, a certificate, silence", async ({
  service,
  company,
}) => {
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_TIMEOUT_MS: "500" });
  const at = (CAURI_URL: string) => examine(desk.with({ CAURI_URL }));

  const unnamed = await at("https://no-such-name.invalid");
  expect([unnamed.code, unnamed.find("name")?.state]).toEqual([1, "problem"]);
  expect(unnamed.find("connection")?.state).toBe("skipped");
  const closed = await at("http://127.0.0.1:9");
  expect(closed.find("connection")).toMatchObject({
    state: "problem",
    advice: expect.stringContaining("is the service running"),
  });
  const plain = await at(service.url.replace("http:", "https:"));
  expect([plain.code, plain.find("connection")?.state]).toEqual([1, "problem"]);

  const secure = await startSecureServer(desk.home);
  const untrusted = await at(secure.url);
  expect(untrusted.find("connection")).toMatchObject({
    state: "problem",
    advice: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
  });
  const trusted = desk.with({ CAURI_URL: secure.url, NODE_EXTRA_CA_CERTS: secure.certificate });
  const soon = await examine(trusted);
  expect(soon.find("connection")).toMatchObject({
    state: "warning",
    message: expect.stringContaining("certificate good for 2 days"),
  });
  // It listens, and answers nothing: the token cannot be judged, and nobody waits for ever.
  expect([soon.code, soon.find("token")?.message]).toEqual([
    1,
    expect.stringContaining("cannot be reached"),
  ]);
});

/** One that takes connections with a certificate of its own and never answers. */
async function startSecureServer(folder: string) {
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const options = [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-keyout",
    key,
    "-out",
    certificate,
    "-days",
    "3",
    "-subj",
    "/CN=localhost",
    "-addext",
    "subjectAltName=DNS:localhost,IP:127.0.0.1",
  ];
  execFileSync("openssl", options, { stdio: "ignore" });
  const server = createServer({ key: await readFile(key), cert: await readFile(certificate) });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, certificate };
}
