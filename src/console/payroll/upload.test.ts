import { expect } from "vitest";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { test } from "../../../test/fixtures.ts";
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
