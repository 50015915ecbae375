import type { PasskeySite } from "../src/staff/passkey-site.ts";
import { ConsoleClient, type PageAnswer, signIn } from "./console.ts";
import type { TestDatabase, TestService } from "./fixtures.ts";
import { givePasskey } from "./passkeys.ts";
import { SoftAuthenticator } from "./soft-authenticator.ts";

export const passkeysPath = "/console/team/account/passkeys";

/** What a page tells its script. */
export function told(text: string, name: string): string {
  const [, value = ""] = new RegExp(`data-${name}="([^"]*)"`).exec(text) ?? [];
  return value.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

export async function siteOf(service: TestService): Promise<PasskeySite> {
  const login = await new ConsoleClient(service, undefined).get("/console/login");
  const origin = told(login.text, "passkeys-at");
  return { origin, rpId: new URL(origin).hostname };
}

export const json = ({ text }: PageAnswer): object => JSON.parse(text) as object;
export const cookieIn = ({ headers }: PageAnswer, name: string) =>
  new RegExp(`${name}=([\\w-]+)`).exec([headers["set-cookie"]].flat().join(";"))?.[1] ?? "";
export const statusOf = ({ status }: PageAnswer) => status;

/** Somebody with a passkey, and what signs with it. */
export async function takeSeat(
  db: TestDatabase,
  service: TestService,
  companyId: string,
  role: "owner" | "approver" | "reader" = "approver",
) {
  const site = await siteOf(service);
  const who = await signIn(db, companyId, role);
  const device = new SoftAuthenticator(site.origin);
  await givePasskey(db.database, site, who, device);
  return { who, device, client: new ConsoleClient(service, who) };
}
