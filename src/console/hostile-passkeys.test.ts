import { expect } from "vitest";
import { giveAuthenticator } from "../../test/authenticator.ts";
import { test } from "../../test/fixtures.ts";
import { json, passkeysPath, statusOf, takeSeat, told } from "../../test/passkey-pages.ts";
import { sql } from "../database/sql.ts";

const bytes = (...parts: number[]) => Buffer.from(parts).toString("base64url");
const deep = (byte: number, size: number) => Buffer.alloc(size, byte).toString("base64url");
const object = (text: string) => Buffer.from(text).toString("base64url");
const hostile: readonly string[] = [
  "",
  "=",
  "%%%",
  "A",
  "\u0000",
  "é",
  "AAAA".repeat(1_000),
  bytes(0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
  bytes(0xbb, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff),
  bytes(0x5a, 0xff, 0xff, 0xff, 0xff),
  bytes(0xff),
  bytes(0xbf, 0xff),
  // One array in another, and one map in another, as deep as there are bytes.
  deep(0x81, 6_000),
  deep(0xa1, 6_000),
  deep(0x9f, 6_000),
  deep(0xc1, 6_000),
  object("null"),
  object("[]"),
  object('{"challenge":null}'),
  object(`{"challenge":"${"A".repeat(43)}"}`),
  object(`{"challenge":"${"A".repeat(43)}","origin":[],"type":{}}`),
  object("{".repeat(1_000)),
  object("[".repeat(1_500)),
];

test("whatever is sent in place of a signature is refused as such, of whatever size", async ({
  db,
  service,
  company,
}) => {
  const { client, device, who } = await takeSeat(db, service, company.id, "owner");
  const code = await giveAuthenticator(db.database, who);
  const granted = await client.post(passkeysPath, { name: "x", code: await code() });
  const made = device.create(JSON.parse(told(granted.text, "options")));
  const signed = device.get(json(await client.post(`${passkeysPath}/challenge`)));
  const answers: string[] = [];
  for (const [path, fields] of [
    [`${passkeysPath}/create`, made],
    [passkeysPath, { name: "x", ...signed }],
    ["/console/login/passkey", signed],
  ] as const)
    for (const name of Object.keys(fields)) {
      if (name === "name") continue;
      for (const text of hostile) {
        if (name === "userHandle" && text === "" && path === passkeysPath) continue;
        await db.database.query(sql`delete from login_counts`);
        const { status } = await client.post(path, { ...fields, [name]: text });
        if (status !== 422) answers.push(`${path} ${name} ${text.slice(0, 40)}: ${status}`);
      }
    }
  expect(answers).toEqual([]);
  const large = "A".repeat(20_000);
  for (const path of [`${passkeysPath}/create`, passkeysPath, "/console/login/passkey"])
    expect(statusOf(await client.post(path, { ...signed, signature: large }))).toBe(413);
  expect((await client.post(`${passkeysPath}/create`, made)).location).toBe(
    "/console/team/account",
  );
});
