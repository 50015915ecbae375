import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Cauri, webhooks } from "@cauri/sdk";
import { expect, onTestFinished } from "vitest";
import { createCompany } from "../../src/companies/create-company.ts";
import { packageRoot } from "../../src/kernel/root.ts";
import { payer } from "../../test/charges.ts";
import { box, test } from "../../test/fixtures.ts";

/** A program of examples/ as a reader starts it, and what it has printed. */
async function startExample(name: string, secretKey: string) {
  const program = spawn(process.execPath, [join(packageRoot, "sdk/examples", name)], {
    env: { ...process.env, CAURI_SECRET_KEY: secretKey, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    if (program.exitCode !== null) return;
    program.kill();
    await once(program, "exit");
  });
  const printed = { text: "" };
  program.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed.text += text;
  });
  await expect.poll(() => printed.text).toMatch(/listening on \d+\n/);
  const port = /listening on (\d+)/.exec(printed.text)?.[1];
  return { printed, url: `http://127.0.0.1:${port}/hooks/cauri` };
}

test.for(["express.mjs", "fastify.mjs", "node-http.mjs"])(
  "%s hears of a transfer, handles it once, and believes nobody else",
  async (name, { service, db }) => {
    const { key } = await createCompany(db.database, box, {
      name: "Test",
      fund: 100_000,
    });
    const { printed, url } = await startExample(name, key.secretKey);
    const cauri = new Cauri({ url: service.url, token: key.accessToken });
    const post = async (secret: string, options?: webhooks.TestEventOptions) => {
      const payload = { topic: "transactions/completed", data: { id: "txn_made_up" } };
      const { body, headers } = await webhooks.sign(payload, secret, options);
      return (await fetch(url, { method: "POST", body, headers })).status;
    };

    const webhook = await cauri.webhooks.create({ topic: "transactions/completed", url });
    const { id } = await cauri.transfers.create({ amount: 5_000, msisdn: payer, reference: "one" });
    const line = `transactions/completed ${id}\n`;
    await expect.poll(() => printed.text).toContain(line);
    await expect
      .poll(async () => (await cauri.webhooks.deliveries(webhook.id).page()).data[0]?.status)
      .toBe("delivered");

    expect(await post("sk_of_somebody_else")).toBe(401);
    expect(await post(key.secretKey, { sentAt: new Date(Date.now() - 3_600_000) })).toBe(401);
    expect(printed.text).not.toContain("txn_made_up");
    expect(await post(key.secretKey, { id: "twice" })).toBe(204);
    expect(await post(key.secretKey, { id: "twice" })).toBe(204);
    await expect.poll(() => printed.text.split("txn_made_up").length - 1).toBe(1);
  },
);
