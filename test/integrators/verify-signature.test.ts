import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { webhooks } from "@cauri/sdk";
import { expect, test } from "vitest";
import { Desk } from "../command.ts";

const secret = `sk_${"s".repeat(43)}`;
const event = { topic: "charge/events", data: { id: "1", description: "Été à Dakar" } };

test("a notification is verified from files, and what is wrong with one is said", async () => {
  const { body, headers } = await webhooks.sign(event, secret);
  const desk = await Desk.make({ CAURI_SECRET_KEY: secret });
  const file = async (name: string, text: string) => {
    await writeFile(join(desk.home, name), text);
    return name;
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  await file("headers.txt", lines.join("\r\n"));
  await file("request.txt", ["> POST /hooks HTTP/1.1", ...lines, "", body].join("\r\n"));
  await file("body.json", body);
  const verify = (name: string, ...more: string[]) =>
    desk.json(["verify-signature", name, "--headers", "headers.txt", ...more]);

  expect(await verify("body.json")).toEqual({
    code: 0,
    value: {
      valid: true,
      topic: "charge/events",
      id: headers["webhook-id"],
      header: "webhook-signature",
    },
  });
  const piped = await desk.json(["verify-signature", "-", "--headers", "request.txt"], body);
  expect(piped.code).toBe(0);

  const parsed = JSON.parse(body);
  for (const [text, reason] of [
    [`${body}\n`, "changed_whitespace"],
    [JSON.stringify(parsed, null, 2), "changed_whitespace"],
    [JSON.stringify({ topic: parsed.topic, data: parsed.data }), "reserialised_body"],
    [body.replace("Dakar", "Thiès"), "wrong_secret"],
  ] as const) {
    const refused = await verify(await file("changed.json", text));
    expect(refused).toMatchObject({ code: 1, value: { valid: false, reason } });
  }
  const other = desk.with({ CAURI_SECRET_KEY: `sk_${"o".repeat(43)}` });
  const wrong = await other.run(["verify-signature", "body.json", "--headers", "headers.txt"]);
  expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringContaining("(wrong_secret)")]);
  expect(wrong.stdout + wrong.stderr).not.toContain("sk_o");
});

test("headers can be given one by one: the interface's own, in hexadecimal too, and an old one", async () => {
  const sentAt = new Date(Date.now() - 3_600_000);
  const { body, headers } = await webhooks.sign(event, secret, { sentAt, brand: "acme" });
  const desk = await Desk.make();
  await writeFile(join(desk.home, "secret"), `${secret}\n`);
  const verify = (...more: string[]) =>
    desk.json(["verify-signature", "--secret-file", "secret", ...more], body);

  const own = headers["x-acme-hmac-sha256"] ?? "";
  expect((await verify("--signature", own)).code).toBe(0);
  expect((await verify("-H", `X-Acme-Hmac-Sha256: ${own}`)).value.header).toBe(
    "x-acme-hmac-sha256",
  );
  const hex = Buffer.from(own, "base64").toString("hex");
  expect((await verify("--signature", hex)).value.reason).toBe("hex_signature");

  const standard = [
    "--signature",
    headers["webhook-signature"] ?? "",
    "--timestamp",
    headers["webhook-timestamp"] ?? "",
    "--id",
    headers["webhook-id"] ?? "",
  ];
  expect((await verify(...standard)).value.reason).toBe("too_old");
  expect((await verify(...standard, "--any-age")).code).toBe(0);
  expect((await verify()).value.reason).toBe("missing_header");
  expect((await verify("-H", "nonsense")).value.error.code).toBe("invalid_configuration");
});

test("the secret is asked for at a terminal, is no argument, and without one it says so", async () => {
  const { body, headers } = await webhooks.sign(event, secret);
  const desk = await Desk.make();
  await writeFile(join(desk.home, "body.json"), body);
  const words = ["verify-signature", "body.json"];
  const own = ["--signature", headers["x-service-hmac-sha256"] ?? ""];
  const typing = desk.type([...words, ...own]);
  await typing.answer("Secret key (sk_…, not shown): ", `${secret}\r`);
  expect(await typing.end()).toBe(0);
  expect(typing.shown).toContain("It is genuine");
  expect(typing.shown).not.toContain(secret);

  const nobody = await desk.run([...words, ...own]);
  expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining("CAURI_SECRET_KEY")]);
  expect((await desk.run([...words, ...own, "--secret", secret])).stderr).toContain(
    "unknown option '--secret'",
  );
});
