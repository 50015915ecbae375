import { expect } from "vitest";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { test } from "../../../test/fixtures.ts";
import { textOf } from "../../../test/pay-page.ts";
import { startReceiver } from "../../../test/receiver.ts";

test("a company without a good key is told to create one, wherever a key would be used", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  const made = await service.call("POST", "/v1/webhooks", {
    token: company.accessToken,
    body: { topic: "transactions/completed", url: receiver.url },
  });
  const path = `/console/developers/webhooks/${made.body.id}`;
  const client = new ConsoleClient(service, await signIn(db, company.id, "developer"));
  const keys = await client.get("/console/developers");
  const [, key = ""] = /(key_[0-9a-f]{32})/.exec(keys.text) ?? [];
  expect((await client.post(`/console/developers/keys/${key}/revoke`)).status).toBe(303);

  expect((await client.post(`${path}/test`)).location).toBe(path);
  const said = textOf((await client.get(path)).text);
  expect(said).toContain("La société n’a aucune clé valable");
  expect(said).toContain("Créez une clé");
  const signature = await client.post("/console/developers/signature", {
    body: "{}",
    headers: "webhook-id: msg_1\nwebhook-timestamp: 1\nwebhook-signature: v1,x",
    key: "",
  });
  expect(signature.status).toBe(200);
  for (const page of ["/console/developers", "/console/developers/webhooks", path])
    expect((await client.get(page)).status, page).toBe(200);
});
