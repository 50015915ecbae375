import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { sql } from "../src/database/sql.ts";
import { openSession } from "../src/staff/sessions.ts";
import { type ConsoleStage, formOpener, type Seat, takeSeat } from "./console-seats.ts";
import { opener, type PageState } from "./page-states.ts";

const account = "/console/team/account";

/** What has to do with passkeys, as a browser shows it that knows them. */
export async function makePasskeyStates(
  stage: ConsoleStage,
  approval: string,
): Promise<PageState[]> {
  const email = "mariama@teranga.example";
  const owner = await takeSeat(stage, email, "owner");
  const [phone] = await keepPasskeys(stage, email);
  const at = (path: string, seat: Pick<Seat, "cookies"> = owner): PageState["open"] =>
    async function open(page, lang) {
      await opener(stage, path, seat.cookies)(page, lang);
      await showPasskeys(page);
    };
  return [
    { name: "console-login-passkey", open: at("/console/login", { cookies: "" }) },
    {
      name: "console-code-passkey",
      async open(page, lang) {
        const cookies = await signInHalf(stage, email);
        await at("/console/login/code", { cookies })(page, lang);
      },
    },
    { name: "console-account-passkeys", open: at(account) },
    { name: "console-passkey", open: at(`${account}/passkeys/${phone}`) },
    {
      name: "console-passkey-new",
      isAnswer: true,
      async open(page, lang) {
        await formOpener(stage, account, owner)(page, lang);
        await showPasskeys(page);
        await page.locator("#name").fill("Téléphone");
        await page.locator("#code").fill(await owner.code());
        await page.locator("section:has(#name) button.main").click();
        await page.locator("[data-passkey=create]").waitFor({ state: "attached" });
        await showPasskeys(page);
      },
    },
    { name: "console-approval-passkey", open: at(approval) },
  ];
}

/** Scripts show them where the address is the service's own; here it is whichever was free. */
async function showPasskeys(page: Page): Promise<void> {
  await page.evaluate(
    "for (const one of document.querySelectorAll('[data-passkeys-at]')) one.hidden = !one.hidden",
  );
}

async function keepPasskeys({ database }: ConsoleStage, email: string): Promise<string[]> {
  const ids: string[] = [];
  for (const name of ["Téléphone", "Ordinateur du bureau"]) {
    const id = randomUUID();
    ids.push(id);
    await database.query(sql`
      insert into passkeys (credential_id, passkey_id, person_id, name, public_key, counter, used_at)
      select decode(${id.replaceAll("-", "")}, 'hex'), ${id}, person_id, ${name}, decode('00', 'hex'), 0,
        case when ${name} = 'Téléphone' then now() end
      from people where email = ${email}`);
  }
  return ids;
}

/** With the password alone, which is good for minutes. */
async function signInHalf({ database }: ConsoleStage, email: string): Promise<string> {
  const [person] = await database.query<{ id: string }>(sql`
    select person_id as id from people where email = ${email}`);
  const session = {
    personId: person?.id ?? "",
    companyId: null,
    isOpen: false,
    address: "192.0.2.17",
    device: "Firefox",
  };
  const token = await database.transaction((tx) => openSession(tx, new Date(), session));
  return `cauri_console=${token}`;
}
