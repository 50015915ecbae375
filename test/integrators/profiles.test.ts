import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { Desk } from "../command.ts";
import { makeCompany, test } from "../fixtures.ts";
import { startUnreliableWay } from "../unreliable-way.ts";

test("several logins are kept beside each other, and a command uses the one that it is told", async ({
  db,
  service,
  company,
}) => {
  const shop = await makeCompany(db.database, { name: "Shop", fund: 70_000 });
  const desk = await Desk.make();
  const empty = await desk.run(["profiles"]);
  expect([empty.code, empty.stdout]).toEqual([0, expect.stringContaining("Nobody is logged in.")]);

  const login = ["login", "--url", service.url, "--token-stdin"];
  expect((await desk.json(login, company.accessToken)).value.profile).toBe("default");
  const second = await desk.run([...login, "--profile", "shop"], shop.accessToken);
  expect(second.stdout).toContain("Commands use it with --profile shop");
  const file = join(desk.home, ".config/cauri/profiles/shop.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const balanceOf = async (at: Desk, ...options: readonly string[]) =>
    (await at.json(["balance", ...options])).value;
  expect(await balanceOf(desk)).toMatchObject({ company: "Test", balance: 1_000_000 });
  expect(await balanceOf(desk, "--profile", "shop")).toMatchObject({ company: "Shop" });
  const set = desk.with({ CAURI_PROFILE: "shop" });
  expect(await balanceOf(set)).toMatchObject({ company: "Shop", balance: 70_000 });
  expect(await balanceOf(set, "--profile", "default")).toMatchObject({ company: "Test" });

  expect((await desk.run(["profiles"])).stdout).toMatch(/^\* +default +Test +staging.*\n +shop/m);
  expect((await set.json(["profiles", "list"])).value).toMatchObject([
    { profile: "default", isCurrent: false, company: "Test", problem: null },
    { profile: "shop", isCurrent: true, company: "Shop", companyId: expect.any(String), file },
  ]);
  expect(JSON.stringify((await desk.json(["profiles"])).value)).not.toContain("at_");
  expect((await set.run(["doctor"])).stdout).toMatch(/token +Shop .* --profile shop/);

  const both = desk.with({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
  const unclear = await both.json(["balance", "--profile", "shop"]);
  expect(unclear).toMatchObject({ code: 1, value: { error: { code: "two_logins" } } });
  expect((await both.run(["profiles"])).stdout).toContain("CAURI_TOKEN is set");

  await chmod(file, 0o644);
  expect((await desk.run(["profiles"])).stdout).toMatch(/shop +cannot be used: .*chmod 600/);
  expect((await set.json(["balance"])).value.error.code).toBe("credentials_exposed");

  expect(await desk.json(["profiles", "remove", "shop"])).toMatchObject({
    code: 0,
    value: { removed: "shop" },
  });
  await expect(stat(file)).rejects.toThrow("ENOENT");
  const gone = await desk.json(["profiles", "remove", "shop"]);
  expect(gone).toMatchObject({ code: 1, value: { error: { code: "profile_not_found" } } });
  expect(gone.value.error.message).toContain("There are default.");
  expect((await set.run(["balance"])).stderr).toContain("Run `cauri login --profile shop`");
  expect((await set.json(["logout", "--profile", "default"])).value.loggedOut).toBe(true);
  expect((await desk.json(["profiles"])).value).toEqual([]);
});

test("a name that is none is refused before anything is asked or written", async ({ service }) => {
  const desk = await Desk.make({ CAURI_URL: service.url });
  for (const name of ["../x", "Shop", "a/b", ""]) {
    const refused = await desk.run(["login", "--profile", name, "--token-stdin"], "x");
    expect([refused.code, refused.stderr], name).toEqual([
      1,
      expect.stringContaining("small letters"),
    ]);
  }
  const set = await desk.with({ CAURI_PROFILE: "../x" }).run(["balance"]);
  expect([set.code, set.stderr]).toEqual([1, expect.stringContaining("CAURI_PROFILE must be")]);
});

test("what to run after an answer was lost speaks for the same company from any shell", async ({
  db,
  service,
  company,
}) => {
  const shop = await makeCompany(db.database, { name: "Shop", fund: 70_000 });
  const way = await startUnreliableWay(service.url);
  const desk = await Desk.make();
  const login = ["login", "--url", way.url, "--token-stdin"];
  await desk.run(login, company.accessToken);
  await desk.run([...login, "--profile", "shop"], shop.accessToken);
  const balances = async () => [
    (await service.call("GET", "/v1/balance", { token: company.accessToken })).body.balance,
    (await service.call("GET", "/v1/balance", { token: shop.accessToken })).body.balance,
  ];
  const named = `--profile shop --url ${way.url}`;
  const body = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: "r1" };
  const send = ["transfers", "send", "--to", "2250700000000", "--amount", "6000"];
  let left = 70_000;
  for (const [at, args, amount] of [
    [desk, ["post", "/v1/transactions", "-d", JSON.stringify(body), "--profile", "shop"], 5_000],
    [desk.with({ CAURI_PROFILE: "shop" }), [...send, "--reference", "r 2", "--yes"], 6_000],
  ] as const) {
    way.decide = (method, path) =>
      `${method} ${path}` === "POST /v1/transactions" ? "pass on, and lose the answer" : "pass";
    const lost = await at.json(args);
    expect(lost.code).toBe(4);
    const again: string = /(?<=: cauri ).*$/m.exec(lost.value.error.message)?.[0] ?? "";
    expect(again).toContain(named);
    left -= amount;
    expect(await balances()).toEqual([1_000_000, left]);

    way.decide = () => "pass";
    // As a shell reads the words that are pasted; the default login of this one is another company's.
    const words = [...again.matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, one, other]) => one ?? other ?? "",
    );
    expect((await desk.json([...words, "--yes"])).code).toBe(0);
    expect(await balances()).toEqual([1_000_000, left]);
  }
  const shown = await desk.run(["transfers", "get", "r 2", "--profile", "shop", "--wait"]);
  expect(shown.code).toBe(0);

  const bare = desk.with({ CAURI_TOKEN: shop.accessToken, CAURI_URL: way.url });
  const none = await bare.run(["webhooks", "list"]);
  expect(none.stdout).toContain(`--url ${way.url} (with the same CAURI_TOKEN)`);
});

test("a token that is not of the company that it was kept for pays nobody", async ({
  db,
  service,
  company,
}) => {
  const shop = await makeCompany(db.database, { name: "Shop", fund: 70_000 });
  const desk = await Desk.make();
  await desk.run(["login", "--url", service.url, "--token-stdin"], company.accessToken);
  const kept = JSON.parse(await readFile(desk.credentials, "utf8"));
  await writeFile(desk.credentials, JSON.stringify({ ...kept, token: shop.accessToken }));
  const send = ["transfers", "send", "--to", "2250700000000", "--amount", "6000"];
  await writeFile(join(desk.home, "pay.csv"), "phone,amount\n2250700000000,6000\n");
  for (const args of [
    ["balance"],
    [...send, "--reference", "r1", "--yes"],
    ["payout", "import", "pay.csv", "--yes"],
  ]) {
    const refused = await desk.run(args);
    expect([refused.code, refused.stderr], args.join(" ")).toEqual([
      1,
      expect.stringContaining("403 company_mismatch"),
    ]);
  }
  expect((await desk.run(["balance"])).stderr).toContain(
    `To log in again: cauri login --profile default --url ${service.url}`,
  );

  // A login of an earlier release does not know its company, and is used as it was.
  const { companyId: _, ...old } = { ...kept, token: shop.accessToken };
  await writeFile(desk.credentials, JSON.stringify(old));
  expect((await desk.json(["balance"])).value).toMatchObject({ company: "Shop", balance: 70_000 });
});
