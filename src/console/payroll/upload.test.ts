import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { expect, onTestFinished } from "vitest";
import { ConsoleClient, type SignedIn, signIn } from "../../../test/console.ts";
import { sendFile } from "../../../test/console-files.ts";
import { makeCompany, type TestService, test } from "../../../test/fixtures.ts";
import { sql } from "../../database/sql.ts";

test("a file that breaks off on its way is refused, and the service goes on", async ({
  db,
  service,
  company,
}) => {
  const who = await signIn(db, company.id, "preparer");
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="juin.csv"\r\n\r\n';
  for (const payload of [`${head}telephone;montant`, head, "--x", "", `${head}a\r\n--x\r\n`]) {
    const answer = await service.app.inject({
      method: "POST",
      url: `/console/payroll/upload?token=${who.formToken}`,
      headers: {
        cookie: `cauri_console=${who.sessionToken}`,
        "content-type": "multipart/form-data; boundary=x",
      },
      payload,
    });
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe("/console/payroll");
  }
  expect((await new ConsoleClient(service, who).get("/console/payroll")).status).toBe(200);
  expect(await db.database.query(sql`select 1 from payroll_drafts`)).toEqual([]);
});

test("files on their way hold up nobody: neither another company nor their own", async ({
  db,
  service,
  company,
}) => {
  const who = await signIn(db, company.id, "preparer");
  const others = await signIn(db, (await makeCompany(db.database)).id, "preparer");
  const slow = Array.from({ length: 8 }, () => beginUpload(service, who, 1_000));
  await expect.poll(() => slow.every(({ isSent }) => isSent())).toBe(true);
  for (const sender of [others, who])
    expect(await sendFile(service, sender, "/console/payroll/upload", small)).toMatchObject({
      status: 303,
      location: expect.stringMatching(/drafts/),
    });
});

test("a company's second file is refused while the first is read, and says what to do; another's is taken", async ({
  db,
  service,
  company,
}) => {
  const who = await signIn(db, company.id, "preparer");
  const others = await signIn(db, (await makeCompany(db.database)).id, "preparer");
  const path = "/console/payroll/upload";
  const answers = await Promise.all([
    sendFile(service, who, path, large),
    sendFile(service, who, path, large),
    sendFile(service, who, path, large),
    sendFile(service, others, path, large),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
  const own = answers.slice(0, 3).map(({ location }) => location);
  expect(own.filter((location) => location.includes("/drafts/"))).toHaveLength(1);
  expect(answers[3]?.location).toContain("/drafts/");
  const { text } = await new ConsoleClient(service, who).get("/console/payroll");
  expect(text).toContain("Un autre fichier de votre entreprise est en cours de lecture.");
});

test("what a company sends at once is bounded in sum, and free again when it is gone", async ({
  db,
  service,
  company,
}) => {
  const who = await signIn(db, company.id, "preparer");
  const others = await signIn(db, (await makeCompany(db.database)).id, "preparer");
  const slow = [1, 2, 3].map(() => beginUpload(service, who, 9 * 1024 * 1024));
  // Two of them have their room; the third is refused before it has ended.
  const [refused] = await once(AbortSignal.any(slow.map(({ answered }) => answered)), "abort");
  expect(refused).toBeDefined();
  expect(slow.filter(({ answered }) => answered.aborted)).toHaveLength(1);
  expect((await sendFile(service, others, "/console/payroll/upload", small)).location).toContain(
    "/drafts/",
  );
  for (const { request: one } of slow) one.destroy();
  await expect
    .poll(async () => (await sendFile(service, who, "/console/payroll/upload", small)).location)
    .toContain("/drafts/");
});

/** Takes a while to read. */
const large = {
  name: "juin.csv",
  text: `telephone;montant${";x".repeat(200)}\n${`771000000;5000${";1".repeat(200)}\n`.repeat(5_000)}`,
};
const small = { name: "juin.csv", text: "telephone;montant\n771000000;5000\n" };

/** Sends so many bytes of a file that never ends. */
function beginUpload(service: TestService, who: SignedIn, bytes: number) {
  const answered = new AbortController();
  let isSent = false;
  const sent: ClientRequest = request(
    `${service.url}/console/payroll/upload?token=${who.formToken}`,
    {
      method: "POST",
      headers: {
        cookie: `cauri_console=${who.sessionToken}`,
        "content-type": "multipart/form-data; boundary=x",
        "content-length": 10 * 1024 * 1024,
      },
    },
    (response: IncomingMessage) => {
      response.resume();
      answered.abort();
    },
  );
  sent.on("error", () => {});
  onTestFinished(() => void sent.destroy());
  sent.write('--x\r\ncontent-disposition: form-data; name="file"; filename="juin.csv"\r\n\r\n');
  sent.write("a".repeat(bytes), () => {
    isSent = true;
  });
  return { request: sent, answered: answered.signal, isSent: () => isSent };
}
