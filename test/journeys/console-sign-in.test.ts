import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { invite } from "../../src/access/links.ts";
import { operator } from "../../src/trail/actor.ts";
import { findBarriers } from "../accessibility.ts";
import { useBrowser } from "../browser.ts";
import { makeCompany, makeDatabase, startService, type TestService } from "../fixtures.ts";

const openPage = useBrowser();
const password = "le marché ouvre à sept heures";

let service: TestService;
let makeLink: (email: string, role: "owner" | "approver") => Promise<string>;
let end = async () => {};

beforeAll(async () => {
  const made = await makeDatabase();
  service = await startService(made);
  const company = await makeCompany(made.database, { name: "Boutique Awa" });
  makeLink = async (email, role) => {
    const member = { email, companyId: company.id, role } as const;
    const { token } = await invite(made.database, new Date(), member, operator("a test"));
    return `${service.url}/console/join/${token}`;
  };
  end = async () => {
    await service.stop();
    await made.drop();
  };
});

afterAll(() => end());

/** What an authenticator app does with the key that a person types into it. */
function appCode(key: string, stepsAhead = 0): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = Array.from(key.replaceAll(" ", ""))
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + stepsAhead));
  const mac = createHmac("sha1", bytes).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, "0");
}

test("invited, a password, a second factor, recovery codes, the team, and signed in again", async () => {
  const found: string[] = [];
  const page = await openPage({ bypassCSP: true });
  await page.goto(await makeLink("awa@boutique.example", "owner"));
  found.push(...(await findBarriers(page, "join")));
  await page.getByLabel("Choisissez un mot de passe").fill(password);
  await page.getByLabel("Le même, encore une fois").fill(password);
  await page.getByRole("button", { name: "Accepter et continuer" }).click();

  await page.waitForURL("**/console/second-factor");
  found.push(...(await findBarriers(page, "second factor")));
  const key = (await page.locator(".secret").textContent()) ?? "";
  await page.getByLabel("Code à six chiffres").fill(appCode(key));
  await page.getByRole("button", { name: "Activer" }).click();
  await page.getByRole("heading", { name: "Vos codes de secours" }).waitFor();
  found.push(...(await findBarriers(page, "recovery codes")));
  await page.getByRole("link", { name: "J’ai gardé mes codes" }).click();

  await page.goto(`${service.url}/console/team`);
  await page.getByRole("heading", { name: "Équipe et sécurité" }).waitFor();
  await page.getByLabel("Adresse").fill("moussa@boutique.example");
  await page.getByRole("radio", { name: /Approbateur/ }).check();
  await page.getByRole("button", { name: "Créer le lien" }).click();
  await page.getByRole("heading", { name: "Lien d’invitation" }).waitFor();
  await page.goto(`${service.url}/console/trail`);
  await page.getByRole("button", { name: "Se déconnecter" }).click();

  await page.waitForURL("**/console/login?left=1");
  await page.getByLabel("Adresse e-mail").fill("awa@boutique.example");
  await page.getByLabel("Mot de passe").fill(password);
  await page.getByRole("button", { name: "Se connecter" }).click();
  await page.waitForURL("**/console/login/code");
  found.push(...(await findBarriers(page, "code")));
  await page.getByLabel("Code à six chiffres").fill(appCode(key, 1));
  await page.getByRole("button", { name: "Continuer" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/console/login"));
  expect(await page.getByText("Boutique Awa").first().isVisible()).toBe(true);

  await page.goto(`${service.url}/console/team?lang=en`);
  await page.getByRole("heading", { name: "Team and security" }).waitFor();
  expect(found).toEqual([]);
});

test("the same without script, in English, and a session ended elsewhere", async () => {
  const link = await makeLink("fatou@boutique.example", "approver");
  const page = await openPage({ javaScriptEnabled: false, locale: "en-GB" });
  await page.goto(link);
  await page.getByLabel("Choose a password").fill(password);
  await page.getByLabel("The same once more").fill(password);
  await page.getByRole("button", { name: "Accept and continue" }).click();
  const key = (await page.locator(".secret").textContent()) ?? "";
  await page.getByLabel("Six-digit code").fill(appCode(key));
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByRole("link", { name: "I have kept my codes" }).click();
  await page.goto(`${service.url}/console/team/account`);

  const other = await openPage({ javaScriptEnabled: false, locale: "en-GB" });
  await other.goto(`${service.url}/console/login`);
  await other.getByLabel("E-mail address").fill("fatou@boutique.example");
  await other.getByLabel("Password").fill(password);
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByLabel("Six-digit code").fill(appCode(key, 1));
  await other.getByRole("button", { name: "Continue" }).click();
  await other.goto(`${service.url}/console/team/account`);
  await other.getByRole("button", { name: "End all others" }).click();
  await other.getByText("All other sessions are ended.").waitFor();

  await page.goto(`${service.url}/console/team`);
  expect(new URL(page.url()).pathname).toBe("/console/login");
});
