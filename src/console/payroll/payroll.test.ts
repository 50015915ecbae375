import { expect } from "vitest";
import { giveAuthenticator } from "../../../test/authenticator.ts";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { sendFile } from "../../../test/console-files.ts";
import {
  auditDifferences,
  makeCompany,
  makeCustomer,
  type TestDatabase,
  type TestService,
  test,
  untilSettled,
} from "../../../test/fixtures.ts";
import { sql } from "../../database/sql.ts";

/** A payroll as it comes: numbers without country code, amounts with spaces, and the rows that were given wrong. */
function fileOf(good: number, bad: readonly string[] = []): string {
  const rows = Array.from(
    { length: good },
    (_, index) => `77 ${String(1_000_000 + index)};${5_000 + index};p-${index};Salaire`,
  );
  return ["telephone;montant;reference;motif", ...bad, ...rows, ""].join("\n");
}

async function prepareTown(db: TestDatabase, people: number): Promise<void> {
  for (let index = 0; index < people; index += 1)
    await makeCustomer(db.database, `22177${1_000_000 + index}`);
}

async function upload(service: TestService, db: TestDatabase, companyId: string, text: string) {
  const who = await signIn(db, companyId, "preparer");
  const sent = await sendFile(service, who, "/console/payroll/upload", { name: "juin.csv", text });
  expect(sent.status).toBe(303);
  return { who, client: new ConsoleClient(service, who), path: sent.location };
}

const hidden = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? "";

test("a file is checked, mended, handed in, approved by another, paid, and told row by row", async ({
  db,
  company,
  service,
}) => {
  await prepareTown(db, 6);
  const { client, path } = await upload(
    service,
    db,
    company.id,
    fileOf(4, ["2,21771E+11;5000;x-1;", "77 1000004;25.000;x-2;Prime"]),
  );
  const draft = await client.get(path);
  expect(draft.text).toContain("4\u00a0lignes correctes, 2 à corriger.");
  expect(draft.text).toContain("ses derniers chiffres sont perdus");
  expect(draft.text).not.toContain("Demander l’approbation");
  const version = hidden(draft.text, "version");

  const mended = await client.post(`${path}/mend`, {
    version,
    "phone-2": "+221 77 100 00 05",
    "amount-2": "5000",
    "reference-2": "x-1",
    "description-2": "",
    "phone-3": "77 1000004",
    "amount-3": "25 000",
    "reference-3": "x-2",
    "description-3": "Prime",
  });
  expect(mended.location).toBe(path);
  const late = await client.post(`${path}/mend`, { version, "remove-2": "yes" });
  expect(late.location).toBe(path);
  const review = await client.get(path);
  expect(review.text).toContain("modifié entre-temps");
  expect(review.text).toContain("Demander l’approbation de 50\u00a0006\u00a0F\u00a0CFA");
  const form = {
    version: hidden(review.text, "version"),
    price: hidden(review.text, "price"),
    form: hidden(review.text, "form"),
  };
  const [once, twice] = [
    await client.post(`${path}/submit`, form),
    await client.post(`${path}/submit`, form),
  ];
  expect(once.location).toMatch(/^\/console\/payroll\/prop_/);
  expect(twice.location).toBe(once.location);
  expect((await client.get(path)).status).toBe(200);
  const changed = await client.post(`${path}/mend`, { version: form.version, "remove-2": "yes" });
  expect((await client.get(changed.location)).text).toContain("Retirez-la d’abord");

  const approval = once.location.replace("payroll", "approvals");
  const checker = await signIn(db, company.id, "approver");
  const code = await giveAuthenticator(db.database, checker);
  const other = new ConsoleClient(service, checker);
  const page = await other.get(approval);
  expect(page.text).toContain("+221\u00a077\u00a0100\u00a000\u00a005");
  const hash = hidden(page.text, "hash");
  const wrong = await other.post(`${approval}/approve`, { hash, code: "000000" });
  expect((await other.get(wrong.location)).text).toContain("Ce code n’est pas le bon");
  const done = await other.post(`${approval}/approve`, { hash, code: await code() });
  expect(done.location).toBe(once.location);

  await expect.poll(async () => (await client.get(once.location)).text).toContain("6 / 6");
  await untilSettled(db.database);
  const outcome = await client.get(`${once.location}/outcome.csv`);
  expect(outcome.headers["content-type"]).toContain("text/csv");
  expect(outcome.text.split("\r\n").slice(0, 2).join("\n")).toMatch(
    /^\ufefftelephone;montant;reference;motif;id;statut;motif_echec;frais;date\n'\+221 77 100 00 05;5000;x-1;;txn_[0-9a-f]{32};completed;;0;/,
  );
  expect(outcome.text.match(/;completed;/g)).toHaveLength(6);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("whoever mended a row cannot approve it, whatever the role; the maker cannot either", async ({
  db,
  company,
  service,
}) => {
  await prepareTown(db, 2);
  const owner = await signIn(db, company.id, "owner");
  const code = await giveAuthenticator(db.database, owner);
  const { path, client } = await upload(service, db, company.id, fileOf(1, ["77 1000001;x;r;"]));
  const ownerClient = new ConsoleClient(service, owner);
  const version = hidden((await client.get(path)).text, "version");
  await ownerClient.post(`${path}/mend`, { version, "amount-2": "6000" });
  const review = await client.get(path);
  const { location } = await client.post(`${path}/submit`, {
    version: hidden(review.text, "version"),
    price: hidden(review.text, "price"),
    form: hidden(review.text, "form"),
  });
  const approval = location.replace("payroll", "approvals");
  const page = await ownerClient.get(approval);
  expect(page.text).toContain("une autre personne doit décider");
  const hash = /<code>([0-9a-f]{64})<\/code>/.exec(page.text)?.[1] ?? "";
  const own = await ownerClient.post(`${approval}/approve`, { hash, code: await code() });
  expect((await ownerClient.get(own.location)).text).toContain("Vous avez participé");
  expect((await client.post(`${approval}/approve`, { hash, code: "1" })).status).toBe(403);
  expect(await db.database.query(sql`select 1 from transfers`)).toEqual([]);
});

test("rows to mend go out as a file and come back; what is left can be left out", async ({
  db,
  company,
  service,
}) => {
  await prepareTown(db, 3);
  const { client, path, who } = await upload(
    service,
    db,
    company.id,
    fileOf(2, ["77 1000002;25.000;a;", "rien;5000;b;"]),
  );
  const file = await client.get(`${path}/bad-rows.csv`);
  expect(file.text).toContain("telephone;montant;reference;motif;ligne;erreur");
  const version = hidden((await client.get(path)).text, "version");
  const back = file.text.replace("25.000", "25000").replace("'25000", "25000");
  const sent = await sendFile(service, who, `${path}/corrections?version=${version}`, {
    name: "lignes-a-corriger.csv",
    text: back,
  });
  expect(sent.location).toBe(path);
  const after = await client.get(path);
  expect(after.text).toContain("3\u00a0lignes correctes, 1 à corriger.");
  const other = await sendFile(service, who, `${path}/corrections?version=2`, {
    name: "autre.csv",
    text: fileOf(1),
  });
  expect((await client.get(other.location)).text).toContain("fichier des lignes à corriger");

  await client.post(`${path}/options`, {
    version: hidden(after.text, "version"),
    leaveOut: "yes",
  });
  const review = await client.get(path);
  expect(review.text).toContain("ne seront pas payées");
  expect(review.text).toContain("Demander l’approbation de 35\u00a0001");
});

test("what failed becomes a new draft with new references", async ({ db, company, service }) => {
  await prepareTown(db, 2);
  const { client, path } = await upload(service, db, company.id, fileOf(2));
  const review = await client.get(path);
  const { location } = await client.post(`${path}/submit`, {
    version: hidden(review.text, "version"),
    price: hidden(review.text, "price"),
    form: hidden(review.text, "form"),
  });
  // One of them loses the account before the money comes.
  await db.database.query(sql`delete from wallets where msisdn = '221771000001'`);
  await db.database.query(sql`delete from customers where msisdn = '221771000001'`);
  const checker = await signIn(db, company.id, "approver");
  const code = await giveAuthenticator(db.database, checker);
  const approver = new ConsoleClient(service, checker);
  const approval = location.replace("payroll", "approvals");
  const hash = hidden((await approver.get(approval)).text, "hash");
  await approver.post(`${approval}/approve`, { hash, code: await code() });
  await expect
    .poll(async () => (await client.get(location)).text)
    .toContain("Relancer 1\u00a0ligne en échec");

  const retried = await client.post(`${location}/retry`);
  const draft = await client.get(retried.location);
  expect(draft.text).toContain("↻ juin.csv");
  expect(draft.text).toContain("retry-txn_");
  const same = await sendFile(
    service,
    await signIn(db, company.id, "preparer"),
    "/console/payroll/upload",
    {
      name: "encore.csv",
      text: fileOf(2),
    },
  );
  expect((await client.get(same.location)).text).toContain("a servi le");
});

test("files that are no spreadsheet, too large, or nobody's to send are refused in words", async ({
  db,
  company,
  service,
}) => {
  const who = await signIn(db, company.id, "preparer");
  const client = new ConsoleClient(service, who);
  const path = "/console/payroll/upload";
  const shown = async (file: { name: string; text: string | Buffer }) => {
    const { location } = await sendFile(service, who, path, file);
    return (await client.get(location)).text;
  };
  expect(await shown({ name: "a.bin", text: Buffer.alloc(2_000) })).toContain(
    "ni un CSV ni un .xlsx",
  );
  expect(await shown({ name: "b.csv", text: "x".repeat(11 * 1024 * 1024) })).toContain("10 Mo");
  expect(await shown({ name: "c.csv", text: fileOf(5_001) })).toContain("plus de 5001 lignes");
  expect(await shown({ name: "d.csv", text: "nom;âge\nAwa;3" })).toContain("Aucune colonne");

  const reader = await signIn(db, company.id, "reader");
  const good = { name: "e.csv", text: fileOf(1) };
  expect((await sendFile(service, reader, path, good)).status).toBe(403);
  const stale = await sendFile(service, { ...who, formToken: "x" }, path, good);
  expect(stale.status).toBe(403);
  const nobody = await sendFile(service, { ...who, sessionToken: "x" }, path, good);
  expect(nobody.location).toContain("/console/login");
});

test("another company's drafts and payrolls are nowhere", async ({ db, company, service }) => {
  await prepareTown(db, 1);
  const { path, client } = await upload(service, db, company.id, fileOf(1));
  const review = await client.get(path);
  const { location } = await client.post(`${path}/submit`, {
    version: hidden(review.text, "version"),
    price: hidden(review.text, "price"),
    form: hidden(review.text, "form"),
  });
  const neighbour = await makeCompany(db.database);
  const stranger = new ConsoleClient(service, await signIn(db, neighbour.id, "owner"));
  const approval = location.replace("payroll", "approvals");
  for (const address of [
    path,
    `${path}/bad-rows.csv`,
    location,
    `${location}/outcome.csv`,
    approval,
    `${approval}/content.txt`,
  ])
    expect((await stranger.get(address)).status, address).toBe(404);
  for (const address of [
    `${path}/mend`,
    `${path}/options`,
    `${path}/discard`,
    `${path}/submit`,
    `${location}/withdraw`,
    `${location}/resume`,
    `${location}/retry`,
    `${approval}/approve`,
    `${approval}/refuse`,
  ])
    expect((await stranger.post(address, { version: "1" })).status, address).toBe(404);
});
