import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { proposalIdPrefix } from "../../src/approvals/proposal.ts";
import { propose } from "../../src/approvals/propose.ts";
import { toPublicId } from "../../src/kernel/ids.ts";
import { giveAuthenticator } from "../authenticator.ts";
import { useBrowser } from "../browser.ts";
import { keepSignedIn, signIn } from "../console.ts";
import { deskOf, member, transferOf } from "../desk.ts";
import { makeCompany, makeDatabase, startService, type TestDatabase } from "../fixtures.ts";
import { chooseTestPort } from "../free-port.ts";

const openPage = useBrowser();
let db: TestDatabase;
let url = "";
let end = async () => {};

beforeAll(async () => {
  const made = await makeDatabase();
  const port = await chooseTestPort();
  // Browsers make no passkey for an address without a name.
  url = `http://localhost:${port}`;
  const service = await startService(made, { PORT: String(port), PUBLIC_URL: url });
  db = made;
  end = async () => {
    await service.stop();
    await made.drop();
  };
});
afterAll(() => end());

/** A device of the browser's own that knows its holder by a finger. */
async function plugIn(page: Page): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return cdp;
}

test("a passkey is added, signs in, approves a payment, and is removed", async () => {
  const company = await makeCompany(db.database, { name: "Boutique Awa" });
  const who = await signIn(db, company.id, "approver", "awa@boutique.example");
  const code = await giveAuthenticator(db.database, who);
  const page = await openPage();
  const refused: string[] = [];
  page.on("console", (message) => message.type() === "error" && refused.push(message.text()));
  await plugIn(page);
  await keepSignedIn(page.context(), url, who);

  await page.goto(`${url}/console/team/account`);
  await page.getByLabel("Nom", { exact: true }).fill("Téléphone");
  await page.getByLabel("Code à six chiffres").fill(await code());
  await page.getByRole("button", { name: "Continuer" }).click();
  await page.getByRole("heading", { name: "Créer la clé d’accès" }).waitFor();
  await page.getByRole("button", { name: "Créer la clé d’accès" }).click();
  await page.getByText("La clé d’accès « Téléphone » est ajoutée.").waitFor();
  await page.getByRole("button", { name: "Se déconnecter" }).click();

  await page.getByRole("button", { name: "Se connecter avec une clé d’accès" }).click();
  await page.waitForURL(`${url}/console`);

  const { id } = await propose(deskOf(db.database), {
    companyId: company.id,
    by: await member(db.database, company.id),
    title: "Loyer de juin",
    asked: transferOf("loyer-juin"),
  });
  await page.goto(`${url}/console/approvals/${toPublicId(proposalIdPrefix, id)}`);
  await page.getByRole("button", { name: "Approuver avec une clé d’accès" }).click();
  await page.getByText("Approuvé et envoyé.").waitFor();

  await page.goto(`${url}/console/team/account`);
  await page.getByRole("link", { name: "Retirer la clé d’accès Téléphone" }).click();
  await page.getByRole("button", { name: "Confirmer avec une clé d’accès" }).click();
  await page.getByText("La clé d’accès « Téléphone » est retirée.").waitFor();
  await page.getByRole("button", { name: "Se déconnecter" }).click();
  await page.getByRole("button", { name: "Se connecter avec une clé d’accès" }).click();
  await page.getByText("La clé d’accès n’a pas été acceptée").waitFor();

  // Browsers note what was answered 422, and would note what the page's policy forbids.
  expect(refused.filter((text) => !text.includes("422"))).toEqual([]);
});

test("without script, or under another address, there is nothing of them", async () => {
  const company = await makeCompany(db.database, { name: "Boutique Fatou" });
  const who = await signIn(db, company.id, "owner");
  for (const [place, javaScriptEnabled] of [
    [url, false],
    [url.replace("localhost", "127.0.0.1"), true],
  ] as const) {
    const page = await openPage({ javaScriptEnabled });
    await page.goto(`${place}/console/login`);
    expect(await page.getByRole("button").allTextContents()).toContain("Se connecter");
    expect(await page.getByText("clé d’accès").filter({ visible: true }).count()).toBe(0);
    await keepSignedIn(page.context(), place, who);
    await page.goto(`${place}/console/team/account`);
    expect(await page.getByText("Vos codes marchent partout").isVisible()).toBe(true);
    expect(await page.getByLabel("Nom", { exact: true }).isVisible()).toBe(false);
  }
});
