import { expect } from "vitest";
import { developerWords } from "../../src/console/words/developers.ts";
import { signatureWords } from "../../src/console/words/signature.ts";
import { webhookWords } from "../../src/console/words/webhooks.ts";
import type { Language } from "../../src/kernel/language.ts";
import { useBrowser } from "../browser.ts";
import { keepSignedIn, signIn } from "../console.ts";
import { makeCompany, type TestDatabase, type TestService, test } from "../fixtures.ts";
import { send, startReceiver, subscribe, untilAttempts } from "../receiver.ts";

const open = useBrowser();

/** A developer has what was sent sent again, finds out why a signature does not match, and rotates the key. */
async function develop(
  { db, service }: { readonly db: TestDatabase; readonly service: TestService },
  language: Language,
  look: { readonly javaScriptEnabled: boolean; readonly width: number },
): Promise<void> {
  const company = await makeCompany(db.database, { name: language });
  const receiver = await startReceiver();
  const ids = await subscribe(service, company, receiver.url, ["transactions/completed"]);
  await send(service, company, "a");
  await untilAttempts(db.database, 1);
  const [words, texts, keys] = [
    webhookWords[language],
    signatureWords[language],
    developerWords[language],
  ];
  const page = await open({
    javaScriptEnabled: look.javaScriptEnabled,
    locale: language === "fr" ? "fr-SN" : "en-GB",
    viewport: { width: look.width, height: 800 },
  });
  await keepSignedIn(page.context(), service.url, await signIn(db, company.id, "developer"));
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const says = (text: string) => page.getByText(text, { exact: false }).first().waitFor();

  // The page of the replay comes again by itself until it is over, with script and without.
  await page.goto(`${service.url}/console/developers/webhooks`);
  await page.getByRole("link", { name: receiver.url }).click();
  await page.getByLabel(words.everything).check();
  await press(words.replaySubmit);
  await says(words.replayProgress(100, 1));
  await receiver.until(2);
  expect(page.url()).toContain(`/webhooks/${ids["completed"]}/replays/`);

  // What arrived is pasted as it came, then with a line break that an editor left.
  const { raw, headers } = receiver.received[1] ?? { raw: "", headers: {} };
  const lines = Object.entries(headers)
    .filter(([name]) => name.startsWith("webhook-"))
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join("\n");
  await page.goto(`${service.url}/console/developers/signature`);
  await page.locator("#body").fill(raw);
  await page.locator("#headers").fill(lines);
  await press(texts.check);
  await says(texts.good("webhook-signature", "transactions/completed"));
  await page.locator("#body").fill(`${raw}\n`);
  await press(texts.check);
  await says(texts.reasons.changed_whitespace);

  // A key in place of the first, which stays good for a day.
  await page.goto(`${service.url}/console/developers`);
  await page.getByRole("link", { name: /^(?:Gérer|Manage) / }).click();
  await page.getByLabel(keys.overlaps["86400"]).check();
  await press(keys.rotateSubmit);
  await says(keys.newTitle);
  const [token = ""] = (await page.locator(".secret").allTextContents()) ?? [];
  for (const good of [token, company.accessToken])
    expect((await service.call("GET", "/v1/balance", { token: good })).status).toBe(200);
  await page.getByRole("link", { name: keys.back }).click();
  await says(keys.good);
  expect(await page.textContent("main")).not.toContain(token);
}

test("replay, signature and key rotation with script, in French, on a laptop", async ({
  db,
  service,
}) => {
  await develop({ db, service }, "fr", { javaScriptEnabled: true, width: 1_280 });
});

test("replay, signature and key rotation without script, in English, on a small phone", async ({
  db,
  service,
}) => {
  await develop({ db, service }, "en", { javaScriptEnabled: false, width: 320 });
});
