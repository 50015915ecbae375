import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { Desk } from "../command.ts";
import { startService, test } from "../fixtures.ts";

const secretKey = `sk_${"k".repeat(43)}`;

test("login keeps a token for its owner alone, for every command, and logout forgets it", async ({
  service,
  company,
}) => {
  const desk = await Desk.make();
  const { url } = service;
  const nobody = await desk.json(["transfers", "list"]);
  expect(nobody).toMatchObject({ code: 1, value: { error: { code: "not_logged_in" } } });

  const wrong = await desk.json(["login", "--url", url, "--token-stdin"], `at_${"x".repeat(43)}`);
  expect(wrong).toMatchObject({
    code: 1,
    value: { error: { code: "invalid_token", status: 401, correlationId: expect.any(String) } },
  });
  await expect(stat(desk.credentials)).rejects.toThrow("ENOENT");

  const login = await desk.json(["login", "--url", url, "--token-stdin"], company.accessToken);
  expect(login).toMatchObject({
    code: 0,
    value: { url, company: "Test", environment: "staging", hasSecretKey: false },
  });
  expect((await stat(desk.credentials)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(desk.credentials))).mode & 0o777).toBe(0o700);
  expect(JSON.stringify(login.value)).not.toContain(company.accessToken);

  expect(await desk.json(["transfers", "list"])).toMatchObject({ code: 0, value: { count: 0 } });
  await writeFile(join(desk.home, "pay.csv"), "phone,amount\n2250700000000,5000\n");
  const dry = await desk.json(["payout", "import", "pay.csv", "--dry-run"]);
  expect(dry).toMatchObject({ code: 0, value: { count: 1 } });
  const unsigned = await desk.json(["webhooks", "listen", "--forward-to", "http://localhost:9"]);
  expect(unsigned.value.error.message).toContain("secret key (sk_…)");

  expect((await desk.json(["logout"])).value).toMatchObject({ loggedOut: true });
  expect((await desk.json(["logout"])).value).toMatchObject({ loggedOut: false });
  expect((await desk.run(["transfers", "list"])).code).toBe(1);
});

test("both keys are taken from the JSON that `company create --json` prints, and from two lines", async ({
  service,
  company,
}) => {
  const desk = await Desk.make({ CAURI_URL: service.url });
  const { accessToken } = company;
  for (const input of [
    JSON.stringify({ companyId: "com_1", accessToken, secretKey }, null, 2),
    `${accessToken}\n${secretKey}\n`,
  ]) {
    const { value } = await desk.json(["login", "--token-stdin"], input);
    expect(value.hasSecretKey).toBe(true);
    expect(JSON.parse(await readFile(desk.credentials, "utf8"))).toMatchObject({ secretKey });
  }
  for (const [input, said] of [
    [secretKey, "The access token begins with at_"],
    ["", "Give the access token"],
    ["{", "and is none"],
    ["x".repeat(20_000), "Give the access token"],
  ] as const) {
    const refused = await desk.run(["login", "--token-stdin"], input);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(said);
  }
  // What was kept before is still there.
  expect((await desk.run(["transfers", "list"])).code).toBe(0);
});

test("a file that others can read is not used, and neither is its token at another address", async ({
  db,
  service,
  company,
}) => {
  const desk = await Desk.make();
  await desk.run(["login", "--url", service.url, "--token-stdin"], company.accessToken);
  await chmod(desk.credentials, 0o640);
  for (const args of [
    ["transfers", "list"],
    ["payout", "import", "pay.csv"],
    ["webhooks", "listen"],
  ]) {
    const refused = await desk.json(args);
    expect(refused).toMatchObject({ code: 1, value: { error: { code: "credentials_exposed" } } });
  }
  const doctor = await desk.run(["doctor"]);
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining("✗ credentials")]);
  expect(doctor.stdout).toContain("chmod 600");
  await chmod(desk.credentials, 0o600);

  const other = await startService(db);
  try {
    const elsewhere = await desk.json(["transfers", "list", "--url", other.url]);
    expect(elsewhere.value.error.code).toBe("logged_in_elsewhere");
    // A token in the environment goes before the file, and the address goes with it.
    const set = { CAURI_TOKEN: company.accessToken, CAURI_URL: other.url };
    expect((await desk.with(set).json(["transfers", "list"])).code).toBe(0);
  } finally {
    await other.stop();
  }
});

test("at a terminal the token is asked for and never shown; Ctrl-C leaves nothing behind", async ({
  service,
  company,
}) => {
  const desk = await Desk.make();
  const given = desk.type(["login", "--url", service.url]);
  await given.answer("Access token (at_…): ", `${company.accessToken}\r`);
  await given.answer("Secret key (sk_…)", `${secretKey}\r`);
  expect(await given.end()).toBe(0);
  expect(given.shown).toContain("as Test (com_");
  expect(given.shown).not.toContain(company.accessToken.slice(3, 20));
  expect(given.shown).not.toContain(secretKey);
  const kept = JSON.parse(await readFile(desk.credentials, "utf8"));
  expect(kept).toMatchObject({ token: company.accessToken, secretKey });

  await desk.run(["logout"]);
  const ended = desk.type(["login", "--url", service.url]);
  await ended.answer("Access token (at_…): ", "at_half\u0003");
  expect(await ended.end()).toBe(1);
  expect(ended.shown).toContain("Nobody answered.");
  await expect(stat(desk.credentials)).rejects.toThrow("ENOENT");

  const without = await desk.run(["login", "--url", service.url]);
  expect([without.code, without.stderr]).toEqual([1, expect.stringContaining("--token-stdin")]);
});

test("settings of the desktop's convention are followed", async ({ service, company }) => {
  const desk = await Desk.make();
  const XDG_CONFIG_HOME = join(desk.home, "settings");
  await mkdir(XDG_CONFIG_HOME);
  const there = desk.with({ XDG_CONFIG_HOME });
  await there.run(["login", "--url", service.url, "--token-stdin"], company.accessToken);
  expect((await stat(join(XDG_CONFIG_HOME, "cauri/credentials.json"))).mode & 0o777).toBe(0o600);
  expect((await there.run(["transfers", "list"])).code).toBe(0);
  expect((await desk.run(["transfers", "list"])).code).toBe(1);
});
