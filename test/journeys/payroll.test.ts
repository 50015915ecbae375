import { copyFile, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { test } from "../fixtures.ts";
import { call, demoToken, makeDataDir, runCommand, startProcess } from "../process.ts";

// Each command is a process of its own.

const people = [
  "msisdn,first name,last name,kyc,limit",
  "221770000001,Awa,Diop,complete,",
  "221770000002,Moussa,Fall,complete,",
  "221770000003,Fatou,Sow,complete,30000",
  "221770000004,Binta,Ba,pending,",
].join("\n");

/** As Excel in French saves it: semicolons, Windows-1252, a column of the business's own. */
const february = [
  "Matricule;Téléphone;Montant;Motif",
  "7;77 000 00 01;25 000 F CFA;Salaire de février",
  "8;221770000002;25000;Salaire de février",
  "9;+221 77 000 00 03;25000;Salaire de février",
  "10;221770000004;25000;Salaire de février",
];

test("a payroll from a spreadsheet: template, check, pay once, outcome, retry", async () => {
  const dataDir = await makeDataDir();
  const folder = dirname(dataDir);
  const service = await startProcess(dataDir, { LOG_LEVEL: "warn" });
  const token = await demoToken(dataDir);
  const balance = async () => (await call(service.url, token, "/v1/balance")).body.balance;
  const cauri = (args: string[], home = folder) =>
    runCommand(dataDir, args, { HOME: home, CAURI_TOKEN: token, CAURI_URL: service.url });
  const json = async (...args: string[]) => {
    const result = await cauri([...args, "--json"]);
    return { code: result.code, value: JSON.parse(result.stdout) };
  };
  const file = (name: string) => join(folder, name);

  // The operator's book.
  await writeFile(file("people.csv"), people);
  expect((await json("customer", "import", file("people.csv"), "--dry-run")).value).toMatchObject({
    added: 4,
    done: false,
  });
  const asked = await cauri(["customer", "import", file("people.csv")]);
  expect([asked.code, asked.stderr.includes("there is nobody to ask")]).toEqual([1, true]);
  expect((await json("customer", "import", file("people.csv"), "--yes")).value).toMatchObject({
    added: 4,
    done: true,
  });
  expect((await json("customer", "import", file("people.csv"), "--yes")).value).toMatchObject({
    unchanged: 4,
  });

  // A template has headings and nobody in it.
  for (const name of ["template.csv", "template.xlsx"]) {
    expect((await cauri(["payout", "template", "--output", file(name)])).code).toBe(0);
    const empty = await json("payout", "import", file(name), "--yes");
    expect([empty.code, empty.value.findings[0].code]).toEqual([1, "no_rows"]);
  }
  expect((await cauri(["payout", "template", "--output", file("template.csv")])).code).toBe(1);

  // Whatever is wrong is named by its line, and nothing is sent.
  const payroll = file("payroll.csv");
  const bad = ["11;2,21771E+11;25000;", "12;221770000009;25000;", "13;221770000001;25.000;"];
  await writeFile(payroll, Buffer.from([...february, ...bad].join("\r\n"), "latin1"));
  const wrong = await json("payout", "import", payroll, "--yes");
  expect(wrong.code).toBe(1);
  type Finding = { line: number; code: string };
  expect(wrong.value.findings.map(({ line, code }: Finding) => [line, code])).toEqual([
    [6, "phone_scientific"],
    [7, "recipient_unknown"],
    [8, "amount_ambiguous"],
  ]);
  expect(await balance()).toBe(10_000_000);

  // What was completed and read is shown; without a yes nothing happens.
  await writeFile(payroll, Buffer.from(february.join("\r\n"), "latin1"));
  const dry = await cauri(["payout", "import", payroll, "--dry-run"]);
  expect(dry.code).toBe(0);
  expect(dry.stdout).toContain("line 2: 77 000 00 01 → +221770000001");
  expect(dry.stdout).toContain("line 2: 25 000 F CFA → 25000");
  expect(dry.stdout).toMatch(/balance after +9 900 000 XOF/);
  expect(dry.stdout).toContain("1 row is for people who are not fully identified");
  const unasked = await cauri(["payout", "import", payroll]);
  expect([unasked.code, unasked.stderr.includes("there is nobody to ask")]).toEqual([1, true]);
  expect(await balance()).toBe(10_000_000);

  const paid = await json("payout", "import", payroll, "--yes");
  expect(paid).toMatchObject({ code: 0, value: { outcome: { completed: 4, failed: 0 } } });
  expect(await balance()).toBe(9_900_000);
  expect((await stat(`${payroll}.plan.json`)).mode & 0o777).toBe(0o600);

  // The same file again, a copy of it elsewhere, and the same on another machine: nobody is paid again.
  const copies = [payroll, file("copies/copy.csv"), file("copies/other.csv")];
  await mkdir(file("copies"));
  for (const copy of copies.slice(1)) await copyFile(payroll, copy);
  for (const [index, copy] of copies.entries()) {
    const home = index === 2 ? file("copies") : folder;
    const again = await cauri(["payout", "import", copy, "--yes", "--json"], home);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: { completed: 4 } });
    expect(await balance()).toBe(9_900_000);
  }

  // A row that is added to a file that was paid would pay the others twice.
  await writeFile(payroll, [...february, "11;221770000004;5000;prime"].join("\r\n"));
  const changed = await cauri(["payout", "import", payroll, "--yes"]);
  expect([changed.code, changed.stderr.includes("it has been changed since")]).toEqual([1, true]);
  expect(await balance()).toBe(9_900_000);

  // March does not fit into one wallet: exit code 3, and an outcome for each row.
  const march = file("march.csv");
  await writeFile(march, `\ufeff${february.join("\n").replaceAll("février", "mars")}\n`);
  const partly = await json("payout", "import", march, "--yes");
  expect(partly).toMatchObject({ code: 3, value: { outcome: { completed: 3, failed: 1 } } });
  const outcome = (await readFile(file("march-outcome.csv"), "utf8")).split("\r\n");
  expect(outcome[0]).toBe(
    "\ufeffMatricule;Téléphone;Montant;Motif;id;statut;motif_echec;frais;date",
  );
  expect(outcome[1]).toMatch(
    /^'7;'77 000 00 01;25000;Salaire de mars;txn_[0-9a-f]{32};completed;;0;\d{4}-.*Z$/,
  );
  expect(outcome[3]).toMatch(/;txn_[0-9a-f]{32};failed;TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT;0;/);
  expect(await balance()).toBe(9_825_000);

  // A new draft of what failed; made twice and paid twice, it pays once.
  const retry = await json("payout", "retry", file("march-outcome.csv"));
  expect(retry.value).toMatchObject({ failed: 1, open: 0 });
  const second = file("march-second.csv");
  await json("payout", "retry", file("march-outcome.csv"), "--output", second);
  expect((await cauri(["customer", "set", "221770000003", "--limit", "100000"])).code).toBe(0);
  const retried = await json("payout", "import", file("march-outcome-retry.csv"), "--yes");
  expect(retried).toMatchObject({ code: 0, value: { outcome: { completed: 1 } } });
  await writeFile(second, `${await readFile(second, "utf8")}\r\n`);
  const twice = await json("payout", "import", second, "--yes");
  expect([twice.code, twice.value.findings[0].code]).toEqual([1, "reference_used"]);
  expect(await balance()).toBe(9_800_000);

  // The valid rows of a file alone; begun again without saying so, the same rows are left out.
  const april = file("april.csv");
  await writeFile(april, [...february, ...bad].join("\n").replaceAll("février", "avril"));
  const some = await cauri(["payout", "import", april, "--skip-invalid", "--dry-run"]);
  expect(some.code).toBe(0);
  expect(some.stdout).toContain("3 rows are left out:\n  line 6: ");
  expect(some.stdout).toMatch(/transfers +4\n/);
  for (const more of [["--skip-invalid"], []]) {
    const valid = await json("payout", "import", april, "--yes", ...more);
    expect(valid).toMatchObject({ code: 3, value: { outcome: { completed: 4, not_sent: 3 } } });
    const lines = (await readFile(file("april-outcome.csv"), "utf8")).split("\r\n");
    expect(lines[6]).toBe("'12;'221770000009;'25000;;;not_sent;RECIPIENT_UNKNOWN;;");
    expect(await balance()).toBe(9_700_000);
  }

  expect((await json("customer", "show", "221770000003")).value).toMatchObject({
    balance: 75_000,
    holdsAtMost: 100_000,
  });
  expect((await json("customer", "export", file("book.csv"))).value.count).toBe(4);
  expect((await json("customer", "import", file("book.csv"), "--yes")).value).toMatchObject({
    added: 0,
    changed: 0,
    unchanged: 4,
  });
  expect((await cauri(["audit"])).code).toBe(0);

  const noToken = await runCommand(dataDir, ["payout", "import", payroll], { HOME: folder });
  expect([noToken.code, noToken.stderr.includes("Nobody is logged in")]).toEqual([1, true]);
});
