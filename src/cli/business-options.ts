import { type Command, InvalidArgumentError } from "commander";
import { spellTopic, type Topic, topics } from "../webhooks/event.ts";
import { isProfileName, profileRule } from "./profiles.ts";
import { parseSubCompanyId } from "./read-options.ts";

/** Of a command that calls the service: which one, and whose token. */
export function withLogin(command: Command): Command {
  return withProfile(command).option(
    "--url <address>",
    "of the service (CAURI_URL, that of login, or http://127.0.0.1:8080)",
  );
}

export function withProfile(command: Command): Command {
  return command.option(
    "--profile <name>",
    "the login that is used (CAURI_PROFILE, or default)",
    parseProfile,
  );
}

export function withExample(command: Command, ...lines: readonly string[]): Command {
  const title = lines.length === 1 ? "Example:" : "Examples:";
  return command.addHelpText(
    "after",
    `\n${[title, ...lines.map((line) => `  ${line}`)].join("\n")}`,
  );
}

export function parseProfile(text: string): string {
  if (!isProfileName(text)) throw new InvalidArgumentError(`Give ${profileRule}.`);
  return text;
}

const timeoutMaxSeconds = 3_600;

/** How long a command waits, in seconds: an hour at most. */
export function parseTimeout(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > timeoutMaxSeconds)
    throw new InvalidArgumentError(`Give seconds, 1 to ${timeoutMaxSeconds}.`);
  return Number(text);
}

const pageMax = 100;

/** As many rows as the service has on a page. */
export function parsePageLimit(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text) || Number(text) > pageMax)
    throw new InvalidArgumentError(`Give 1 to ${pageMax}.`);
  return Number(text);
}

/** What the service keeps as it is given; it says itself what it does not keep. */
export function parseOwnReference(text: string): string {
  if (text.trim() === "" || text.length > 255)
    throw new InvalidArgumentError("Give 1 to 255 characters.");
  return text;
}

/** The service takes the id as it is shown. */
export function parseOwnSubCompanyId(text: string): string {
  parseSubCompanyId(text);
  return text.trim();
}

export function parseKey(text: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(text))
    throw new InvalidArgumentError("Give the key as it was shown, 1 to 255 printable characters.");
  return text;
}

export function parseTopic(text: string): Topic {
  const topic = topics.find((one) => one === spellTopic(text));
  if (topic === undefined) throw new InvalidArgumentError(`Give one of ${topics.join(", ")}.`);
  return topic;
}

/** An option that may be repeated. */
export function gather(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
