import { expect } from "vitest";
import { ConsoleClient, signIn } from "../../test/console.ts";
import { test } from "../../test/fixtures.ts";
import { textOf } from "../../test/pay-page.ts";

test("413: a form that is too large is told how large it may be, each its own, in both languages", async ({
  db,
  service,
  company,
}) => {
  const client = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  for (const [path, kilobytes] of [
    ["/console/language", 4],
    ["/console/developers/keys", 16],
    ["/console/developers/signature", 256],
  ] as const)
    for (const [lang, said] of [
      ["fr", `Le maximum est de ${kilobytes} Ko.`],
      ["en", `The most is ${kilobytes} KB.`],
    ] as const) {
      const fields = { name: "x".repeat(kilobytes * 1_024) };
      const answer = await client.post(`${path}?lang=${lang}`, fields);
      expect(answer.status, path).toBe(413);
      expect(textOf(answer.text), path).toContain(said);
    }
});
