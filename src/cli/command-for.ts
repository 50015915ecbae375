import { quoted } from "./quoted.ts";
import type { Client } from "./read-client.ts";

/** Whose token a command uses, and where: what has to be said again for another command to speak for the same company. */
export type Login = Pick<Client, "profile" | "url">;

/**
 * A command to be run next. It names the login and the address, whatever the shell has set that it is pasted into: with another
 * login the same words would pay from another company's account. A token is no word of a command, so that one of CAURI_TOKEN can
 * only be asked for. Undefined: nobody is logged in, and nobody can be named.
 */
export function commandFor(login: Login | undefined, ...words: readonly string[]): string {
  const command = ["cauri", ...words.map((word) => quoted(word))];
  if (login === undefined) return command.join(" ");
  const { profile, url } = login;
  const whose = profile === undefined ? [] : ["--profile", quoted(profile)];
  const withToken = profile === undefined ? ["(with the same CAURI_TOKEN)"] : [];
  return [...command, ...whose, "--url", quoted(url), ...withToken].join(" ");
}

/** Options of a command as its words: those that were not given are left out. */
export function optionWords(
  options: Readonly<Record<string, string | number | boolean | undefined>>,
): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [name] : [name, String(value)];
  });
}
