import { expect } from "vitest";
import { ConsoleClient, type SignedIn, signIn } from "../../../test/console.ts";
import { type TestDatabase, type TestService, test } from "../../../test/fixtures.ts";
import { invite } from "../../access/links.ts";
import { sql } from "../../database/sql.ts";
import { formTokenOf } from "../../staff/sessions.ts";
import { stepAt, totpCodeAt } from "../../staff/totp.ts";
import { operator } from "../../trail/actor.ts";

const password = "le marché ouvre à sept heures";
const factorPath = "/console/second-factor";

test("an operator without a company sets up a second factor before anything else", async ({
  db,
  service,
  company,
}) => {
  const client = new ConsoleClient(service, await joinAsOperator(db, service));

  for (const path of ["/console", "/console/companies", "/console/transfers"])
    expect(await client.get(path)).toMatchObject({ status: 303, location: factorPath });
  const chosen = { company: `com_${company.id.replaceAll("-", "")}` };
  expect(await client.post("/console/companies", chosen)).toMatchObject({
    status: 303,
    location: factorPath,
  });

  const page = await client.get(factorPath);
  expect(page.status).toBe(200);
  const [, key = ""] = /class="secret">([^<]+)</.exec(page.text) ?? [];
  const code = totpCodeAt(fromBase32(key), stepAt(new Date()));
  expect((await client.post(factorPath, { code })).status).toBe(200);
  expect((await client.get("/console/companies")).status).toBe(200);
});

test("an operator who also works for a company needs it there too, whatever the role", async ({
  db,
  service,
  company,
}) => {
  const who = await signIn(db, company.id, "reader");
  const client = new ConsoleClient(service, who);
  await db.database.query(sql`
    update people set totp_sealed = null where person_id = ${who.personId}`);
  expect((await client.get("/console/transfers")).status).toBe(200);

  await db.database.query(sql`
    update people set is_operator = true where person_id = ${who.personId}`);

  expect(await client.get("/console/transfers")).toMatchObject({
    status: 303,
    location: factorPath,
  });
  expect((await client.post("/console/logout")).location).toBe("/console/login?left=1");
});

async function joinAsOperator({ database }: TestDatabase, service: TestService): Promise<SignedIn> {
  const member = { email: "ops@operator.example", companyId: null, role: "operator" } as const;
  const { token } = await invite(database, new Date(), member, operator("a test"));
  const joined = await new ConsoleClient(service, undefined).post(`/console/join/${token}`, {
    password,
    repeat: password,
  });
  const [, sessionToken = ""] =
    /cauri_console=([\w-]{43})/.exec(String(joined.headers["set-cookie"])) ?? [];
  const { email } = member;
  return { personId: "", email, sessionToken, formToken: formTokenOf(sessionToken) };
}

/** What an authenticator app does with the key that is typed into it. */
function fromBase32(text: string): Buffer {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = Array.from(text.replaceAll(" ", ""), (letter) =>
    letters.indexOf(letter).toString(2).padStart(5, "0"),
  ).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
