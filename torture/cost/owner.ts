import { setTimeout as sleep } from "node:timers/promises";
import { stepAt, totpCodeAt } from "../../src/staff/totp.ts";
import { fromBase32 } from "../api/console-visitor.ts";

/** Somebody who is signed in. */
export interface Owner {
  readonly cookie: string;
  readonly formToken: string;
  /** A code of the second factor that was not used yet: for that, some seconds may have to pass. */
  readonly nextCode: () => Promise<string>;
}

export const nobody: Owner = { cookie: "", formToken: "", nextCode: async () => "" };

const password = "une longue phrase que personne ne devine";

/** Uses an invitation as people do: a password, then a second factor. */
export async function joinAsOwner(url: string, path: string): Promise<Owner> {
  const joined = await send(url, path, "", { password, repeat: password });
  const cookie = joined.headers
    .getSetCookie()
    .map((text) => text.split(";", 1)[0] ?? "")
    .find((text) => text.includes("cauri_console="));
  if (cookie === undefined) throw new Error(`${path} answers ${joined.status} and signs nobody in`);
  const address = "/console/second-factor";
  const page = await (await fetch(url + address, { headers: { cookie } })).text();
  const [, key = ""] = /class="secret">([^<]+)</.exec(page) ?? [];
  const formToken = hidden(page, "token");
  let used = 0;
  const nextCode = async () => {
    while (stepAt(new Date()) <= used) await sleep(500);
    used = stepAt(new Date());
    return totpCodeAt(fromBase32(key), used);
  };
  const { status } = await send(url, address, cookie, { token: formToken, code: await nextCode() });
  if (status !== 200) throw new Error(`${address}: ${status}`);
  return { cookie, formToken, nextCode };
}

function hidden(page: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";
}

function send(
  url: string,
  path: string,
  cookie: string,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    redirect: "manual",
    headers: { "accept-language": "en", ...(cookie === "" ? {} : { cookie }) },
    body: new URLSearchParams(fields),
  });
}
