import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { ChargeClient } from "../../../test/charges.ts";
import {
  box,
  makeCompany,
  type TestCompany,
  type TestService,
  test,
  untilSettled,
} from "../../../test/fixtures.ts";
import { send } from "../../../test/receiver.ts";
import { ask, makeSubCompany } from "../../../test/statements.ts";
import { rowsOf } from "../../../test/workbooks.ts";
import { sql } from "../../database/sql.ts";
import { ledgerKeyIn, listLedgerKeys } from "../ledger-key.ts";
import { verifyFile } from "../verify/verify-file.ts";
import type { Witness } from "../verify/verify-ledger.ts";

const fees = {
  transferFee: { ratePpm: 10_000, flat: 0, min: 0, max: null },
  chargeFeeRatePpm: 20_000,
};

async function download(service: TestService, company: TestCompany, path: string) {
  const headers = { authorization: `Bearer ${company.accessToken}` };
  const answer = await fetch(`${service.url}${path}`, { headers });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(answer.status, bytes.toString()).toBe(200);
  return { bytes, headers: answer.headers };
}

async function verify(bytes: Buffer, witness: Witness) {
  const folder = await mkdtemp(join(tmpdir(), "cauri-export-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "file"), bytes);
  return verifyFile(join(folder, "file"), witness);
}

test("200: the three formats of a company's statement verify, and say what the API says", async ({
  db,
  service,
}) => {
  const company = await makeCompany(db.database, { ...fees, fund: 100_000 });
  const charges = new ChargeClient(service, company);
  await send(service, company, "=sent");
  await untilSettled(db.database);
  const paid = await charges.paid({ amount: 10_000 });
  await charges.refund(paid, { amount: 5_000 });
  const said = await ask(service, company, "?limit=100");
  const witness = { seals: [], keys: await listLedgerKeys(db.database, ledgerKeyIn(box)) };

  const codes = new Set();
  for (const [path, type] of [
    ["/v1/statement.csv", "text/csv; charset=utf-8"],
    ["/v1/statement.csv?dialect=excel-fr&lang=en", "text/csv; charset=utf-8"],
    ["/v1/statement.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
    ["/v1/statement.pdf?lang=en", "application/pdf"],
  ] as const) {
    const { bytes, headers } = await download(service, company, path);
    expect(headers.get("content-type")).toBe(type);
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="statement\.\w+"$/);
    const found = await verify(bytes, witness);
    expect(found.problem, path).toBeUndefined();
    expect(found).toMatchObject({ lines: said.count, isChained: true });
    expect(found.facts).toMatchObject({ opening: 0, closing: said.closingBalance });
    codes.add(found.code);
  }
  expect(codes.size).toBe(1);

  const { bytes } = await download(service, company, "/v1/statement.csv");
  const [header, ...rows] = await rowsOf(bytes);
  const told = rows
    .map(({ cells }) =>
      Object.fromEntries(header?.cells.map((name, at) => [name, cells[at]]) ?? []),
    )
    .filter(({ at }) => at !== "");
  expect(
    told.map(({ number, kind, amount, balanceAfter, reference }) => [
      number,
      kind,
      amount,
      balanceAfter,
      reference,
    ]),
  ).toEqual(
    said.data.map((line: Record<string, unknown>) =>
      [
        line["number"],
        line["kind"],
        line["amount"],
        line["balanceAfter"],
        line["reference"] ?? "",
      ].map(String),
    ),
  );
});

test("200: a period, and a sub-company, have exports of their own", async ({ db, service }) => {
  const company = await makeCompany(db.database, { ...fees, fund: 100_000 });
  const subCompanyId = await makeSubCompany(service, company, "Filiale");
  await send(service, company, "one", { subCompanyId });
  await untilSettled(db.database);
  const witness = { seals: [], keys: await listLedgerKeys(db.database, ledgerKeyIn(box)) };

  const ofSub = await download(service, company, `/v1/statement.xlsx?subCompanyId=${subCompanyId}`);
  const before = await download(service, company, "/v1/statement.pdf?to=2020-01-01");

  expect(await verify(ofSub.bytes, witness)).toMatchObject({
    problem: undefined,
    lines: 1,
    isChained: false,
  });
  expect(await verify(before.bytes, witness)).toMatchObject({ problem: undefined, lines: 0 });
});

test("400 and 401: a wrong word, a wrong day, and no token get a sentence and no file", async ({
  service,
  company,
}) => {
  for (const query of ["?dialect=german", "?lang=de", "?from=yesterday", "?limit=1"]) {
    const { status, body } = await service.call("GET", `/v1/statement.csv${query}`, {
      token: company.accessToken,
    });
    expect([status, typeof body.message], query).toEqual([400, "string"]);
  }
  expect((await service.call("GET", "/v1/statement.pdf")).status).toBe(401);
});

test("429: two exports at once, and no third until one of them is done; another company has its own", async ({
  db,
  service,
}) => {
  const { accessToken: token } = await makeCompany(db.database, { fund: 100_000 });
  const { accessToken: other } = await makeCompany(db.database, { fund: 100_000 });
  const exportOf = (of: string) => service.call("GET", "/v1/statement.csv", { token: of });
  const answers: ReturnType<typeof exportOf>[] = [];
  await db.database.transaction(async (tx) => {
    await tx.query(sql`lock table postings in access exclusive mode`);
    for (const of of [token, token, token, other]) answers.push(exportOf(of));
    // Two wait for the table; whichever of the company's came last is answered meanwhile.
    const refused = await Promise.race(answers);
    expect([refused.status, refused.body.code]).toEqual([429, "too_many_exports"]);
    expect(refused.headers.get("retry-after")).toBe("5");
  });

  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429]);
  expect((await exportOf(token)).status).toBe(200);
});
