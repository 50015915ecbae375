import { expect } from "vitest";
import { Desk } from "../command.ts";
import { makeCustomer, productionSettings, startService, test } from "../fixtures.ts";

test("balance says how much, whose and whether it is real, and refuses what it does not know", async ({
  service,
  company,
}) => {
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
  expect(await desk.json(["balance"])).toMatchObject({
    code: 0,
    value: { balance: 1_000_000, currency: "XOF", company: "Test", environment: "staging" },
  });
  const { stdout } = await desk.run(["balance"]);
  expect(stdout).toMatch(/company +Test \(staging\)\n +balance +1 000 000 XOF/);
  const wrong = desk.with({ CAURI_TOKEN: `at_${"x".repeat(43)}` });
  expect(await wrong.json(["balance"])).toMatchObject({
    code: 1,
    value: { error: { code: "invalid_token", status: 401 } },
  });
  expect((await desk.run(["balance", "Test"])).stderr).toContain("too many arguments");
});

test("customers check says who has a number and what it can receive; a transfer that would fail is exit code 3", async ({
  db,
  service,
  company,
}) => {
  await makeCustomer(db.database, "221771234567", "complete", 200_000);
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
  const known = await desk.json(["customers", "check", "+221771234567", "2250700000000"]);
  expect(known).toMatchObject({
    code: 0,
    value: {
      count: 2,
      data: [
        { kycStatus: "complete", firstName: "Awa", amountMax: 200_000 },
        { kycStatus: "complete", amountMax: null },
      ],
    },
  });
  const { stdout } = await desk.run(["customers", "check", "221771234567"]);
  expect(stdout).toMatch(/\+221 77 123 45 67 +Awa Diop +complete +at most 200 000 XOF in all/);

  const nobody = await desk.run(["customers", "check", "221779999999"]);
  expect(nobody.code).toBe(3);
  expect(nobody.stdout).toContain("nobody has this number, a transfer would fail");
  // As it is dialled at home: shown to be short, and what was probably meant.
  const short = await desk.run(["customers", "check", "771234567"]);
  expect(short.code).toBe(3);
  expect(short.stderr).toContain("Did you mean +221 77 123 45 67?");

  for (const [number, said] of [
    ["0771234567", "begins with 0, so it has no country code"],
    ["hello", "Give 8 to 15 digits"],
  ] as const) {
    const refused = await desk.run(["customers", "check", number]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(said)]);
    // The operator's command is one letter away, and does not check.
    expect(refused.stderr).not.toContain("cauri customer ");
  }
});

test("charges are listed by what the API filters by, page by page", async ({
  service,
  company,
}) => {
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
  for (const externalId of ["o1", "o2", "o3"])
    await desk.json(
      ["charges", "create", "--amount", "5000", "--external-id", externalId].concat([
        "--description",
        "x",
      ]),
    );
  await desk.json(["charges", "pay", "o2"]);

  const idsOf = async (...options: readonly string[]) => {
    const { value } = await desk.json(["charges", "list", ...options]);
    return value.data.map(({ externalId }: { externalId: string }) => externalId);
  };
  expect(await idsOf()).toEqual(["o3", "o2", "o1"]);
  expect(await idsOf("--status", "paid")).toEqual(["o2"]);
  expect(await idsOf("--external-id", "o1")).toEqual(["o1"]);
  expect(await idsOf("--since", "1h", "--limit", "2")).toEqual(["o3", "o2"]);
  expect(await idsOf("--until", "1h")).toEqual([]);
  const { value } = await desk.json(["charges", "list", "--limit", "2"]);
  expect(await idsOf("--cursor", value.next)).toEqual(["o1"]);
  const { stdout } = await desk.run(["charges", "list", "--limit", "1"]);
  expect(stdout).toMatch(/^CHARGE +STATUS +AMOUNT[\s\S]*What is older: add --cursor/);

  const wrong = await desk.run(["charges", "list", "--status", "pending"]);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("refunded_partially")]);
  const cursor = await desk.json(["charges", "list", "--cursor", "nonsense"]);
  expect(cursor).toMatchObject({ code: 1, value: { error: { code: "invalid_cursor" } } });
});

test("a charge is paid in staging as a payer would, or fails as one would", async ({
  service,
  company,
}) => {
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
  const create = ["charges", "create", "--amount", "5000", "--description", "x"];
  await desk.json([...create, "--external-id", "order 1"]);

  const failed = await desk.run(["charges", "pay", "order 1", "--fail"]);
  expect(failed.code).toBe(3);
  expect(failed.stdout).toContain("The payment has failed, and the charge can still be paid.");
  const poor = await desk.json(["charges", "pay", "order 1", "--from", "221770000009"]);
  expect(poor).toMatchObject({ code: 3, value: { status: "due", attempts: 2 } });

  const paid = await desk.json(["charges", "pay", "order 1"]);
  expect(paid).toMatchObject({ code: 0, value: { status: "paid", paid: 5_000 } });
  const again = await desk.json(["charges", "pay", paid.value.id]);
  expect(again).toMatchObject({ code: 1, value: { error: { code: "charge_not_payable" } } });
  const nothing = await desk.json(["charges", "pay", "order 2"]);
  expect(nothing).toMatchObject({ code: 1, value: { error: { code: "nothing_found" } } });
  const both = await desk.run(["charges", "pay", "order 1", "--fail", "--from", "2250700000000"]);
  expect(both.stderr).toContain("cannot be used with");
});

test("nobody plays the payer in production", async ({ db, company }) => {
  const service = await startService(db, productionSettings(db));
  try {
    const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
    const create = ["charges", "create", "--amount", "5000", "--external-id", "o1"];
    const urls = [
      "--on-completed",
      "https://shop.example",
      "--on-canceled",
      "https://shop.example",
    ];
    await desk.json([...create, "--description", "x", ...urls]);
    const refused = await desk.json(["charges", "pay", "o1"]);
    expect(refused).toMatchObject({ code: 1, value: { error: { code: "not_staging" } } });
    expect(refused.value.error.message).toBe(
      "This is production: charges pay works in staging only, where no money is real. Nothing was done.",
    );
    const { value } = await desk.json(["charges", "get", "o1"]);
    expect([value.attempts, value.paid]).toEqual([0, 0]);
  } finally {
    await service.stop();
  }
});

test("a number that looks short is pointed out, and sent to all the same after a yes", async ({
  service,
  company,
}) => {
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
  const send = ["transfers", "send", "--to", "771234567", "--amount", "5000"];
  const doubt = "Look at the number again: +771234567 has only 9 digits";
  const refused = desk.type([...send, "--reference", "s1"]);
  await refused.answer("Send 5 000 XOF to +771234567 all the same?", "n\r");
  expect(await refused.end()).toBe(1);
  expect(refused.shown).toContain(doubt);
  expect((await desk.json(["transfers", "list"])).value.count).toBe(0);

  const sent = await desk.run([...send, "--reference", "s1", "--yes"]);
  expect([sent.code, sent.stderr]).toEqual([0, expect.stringContaining(doubt)]);
  expect(sent.stderr).toContain("Did you mean +221 77 123 45 67?");
  const whole = ["transfers", "send", "--to", "2250700000000", "--amount", "5000"];
  expect((await desk.run([...whole, "--reference", "s2", "--yes"])).stderr).toBe("");
});
