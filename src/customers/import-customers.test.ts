import { expect } from "vitest";
import { auditDifferences, makeCustomer, test } from "../../test/fixtures.ts";
import { Database } from "../database/database.ts";
import { operator } from "../trail/actor.ts";
import { readTrail } from "../trail/read-trail.ts";
import { importCustomers, reviewImport } from "./import-customers.ts";
import { addCustomer, eachCustomer, getCustomer, setWalletFrozen } from "./keep-book.ts";
import { readCustomers } from "./read-customers.ts";

const by = operator("customer import");

test("new people are added, others changed where a cell says something, and the rest stays", async ({
  db: { database },
}) => {
  await makeCustomer(database, "221770000001", "pending", 9_000);
  await makeCustomer(database, "221770000002");
  await makeCustomer(database, "221770000003");
  await setWalletFrozen(database, "221770000002", true, operator());
  const { rows, problems } = await read(
    [
      "Téléphone;Prénom;Nom;KYC;Plafond;matricule",
      "+221 77 000 00 01;;Sow;complete;;7",
      "221770000002;;;rejected;;",
      "221770000003;Awa;Diop;Complete;;",
      "221770000004;Moussa;Fall;pending;300 000;",
    ].join("\n"),
  );
  expect(problems).toEqual([]);
  expect(await reviewImport(database, rows)).toEqual({
    added: 1,
    changed: 2,
    unchanged: 1,
    problems: [],
  });

  await run(database, rows);

  expect(await getCustomer(database, "221770000001")).toMatchObject({
    firstName: "Awa",
    lastName: "Sow",
    kycStatus: "complete",
    balanceMax: 9_000,
  });
  expect(await getCustomer(database, "221770000002")).toMatchObject({
    kycStatus: "rejected",
    isFrozen: true,
  });
  expect(await getCustomer(database, "221770000004")).toEqual({
    msisdn: "221770000004",
    firstName: "Moussa",
    lastName: "Fall",
    kycStatus: "pending",
    balanceMax: 300_000,
    isFrozen: false,
    balance: 0,
  });
  const trail = await readTrail(database, {
    companyId: undefined,
    since: undefined,
    before: undefined,
    limit: 3,
  });
  expect(
    new Set(trail.map(({ via, action, subject }) => [via, action, subject].join(" "))),
  ).toEqual(
    new Set([
      "customer import customer.added 221770000004",
      "customer import customer.changed 221770000001",
      "customer import customer.changed 221770000002",
    ]),
  );
  expect(await reviewImport(database, rows)).toMatchObject({ added: 0, changed: 0, unchanged: 4 });
  expect(await auditDifferences(database)).toEqual([]);
});

test("every bad row is named by its line", async ({ db: { database } }) => {
  const { rows, problems } = await read(
    [
      "msisdn,first name,last name,kyc,limit",
      "2.21771E+11,Awa,Diop,complete,",
      "221770000001,Awa,Diop,done,",
      "221770000002,Awa,Diop,complete,-5",
      `221770000003,${"x".repeat(101)},Diop,complete,`,
      "221770000004,Awa,Diop,complete,",
      "+221770000004,Awa,Diop,complete,",
      "221770000005,,Diop,complete,",
    ].join("\n"),
  );
  expect(problems.map(({ line }) => line)).toEqual([2, 3, 4, 5, 7]);
  expect((await reviewImport(database, rows)).problems).toEqual([
    {
      line: 8,
      message:
        "221770000005 is not in the book yet, so that first name, last name and kyc are needed.",
    },
  ]);
  expect((await read("nom;prenom\nDiop;Awa\n")).problems).toHaveLength(1);
});

test("two imports of the same people and somebody who adds one of them meet: everybody is there once", async ({
  db,
}) => {
  const other = new Database({ url: db.url, poolSize: 4 });
  try {
    const lines = Array.from(
      { length: 2_500 },
      (_, place) => `${221_770_000_000 + place};A;B;complete`,
    );
    const { rows } = await read(`msisdn;first name;last name;kyc\n${lines.join("\n")}\n`);
    const late = {
      firstName: "A",
      lastName: "B",
      kycStatus: "complete",
      balanceMax: null,
    } as const;
    await Promise.all([
      run(db.database, rows),
      run(other, rows.toReversed()),
      addCustomer(db.database, { ...late, msisdn: "221770000777" }).catch(() => {}),
    ]);
    let count = 0;
    for await (const _ of eachCustomer(db.database)) count += 1;
    expect(count).toBe(2_500);
    expect(await reviewImport(db.database, rows)).toMatchObject({ added: 0, unchanged: 2_500 });
    expect(await auditDifferences(db.database)).toEqual([]);
  } finally {
    await other.close();
  }
});

async function read(text: string) {
  async function* pieces(): AsyncGenerator<Buffer> {
    yield Buffer.from(text);
  }
  return readCustomers(pieces(), "people.csv");
}

async function run(database: Database, rows: Parameters<typeof importCustomers>[1]) {
  for await (const _ of importCustomers(database, rows, by));
}
