import { type Command, Option } from "commander";
import { transferStatuses } from "../../transfers/transfer.ts";
import {
  parseOwnReference,
  parseOwnSubCompanyId,
  parsePageLimit,
  parseTimeout,
  withExample,
  withLogin,
} from "../business-options.ts";
import { parseSince, parseUntil } from "../clock.ts";
import { getTransferCommand } from "../commands/transfers/get.ts";
import { type ListOptions, listTransfersCommand } from "../commands/transfers/list.ts";
import { type SendOptions, sendTransferCommand } from "../commands/transfers/send.ts";
import type { WaitOptions } from "../commands/transfers/settle.ts";
import type { ClientOptions } from "../read-client.ts";
import { parseAmount, parseMsisdn } from "../read-options.ts";
import { type Json, print, withJson, withYes } from "../run.ts";

export function addBusinessTransferCommands(program: Command): void {
  const transfers = program
    .command("transfers")
    .description("Send money to people, and see what became of it");
  withExample(
    withWait(withLogin(withYes(transfers.command("send")))),
    "cauri transfers send --to 2250700000000 --amount 5000 --reference salary-7 --wait",
  )
    .description("Send money to one person; shows what will happen and asks first")
    .requiredOption("--to <msisdn>", "phone number with country code", parseMsisdn)
    .requiredOption("--amount <francs>", "whole francs", parseAmount)
    .requiredOption("--reference <text>", "yours; it pays once, for ever", parseOwnReference)
    .option("--description <text>", "shown to the recipient")
    .option("--sub-company <id>", "on its behalf", parseOwnSubCompanyId)
    .addHelpText("after", exitCodes)
    .action(async (options: Json & SendOptions) =>
      print(options, await sendTransferCommand(options)),
    );
  withExample(
    withWait(withLogin(withJson(transfers.command("get")))),
    "cauri transfers get salary-7",
  )
    .description("One transfer")
    .argument("<transfer>", "its id, your reference, or the reference that the recipient sees")
    .addHelpText("after", exitCodes)
    .action(async (text: string, options: ClientOptions & Json & WaitOptions) =>
      print(options, await getTransferCommand(text, options)),
    );
  withExample(
    withLogin(withJson(transfers.command("list"))),
    "cauri transfers list --status failed --since 24h",
  )
    .description("Transfers, newest first")
    .addOption(new Option("--status <status>", "in this state").choices(transferStatuses))
    .option("--to <msisdn>", "to this phone number", parseMsisdn)
    .option("--since <moment>", "a day, a moment, or how long ago: 24h", parseSince)
    .option("--until <moment>", "a day, a moment, or how long ago: 1h", parseUntil)
    .option("--limit <count>", "how many, up to 100", parsePageLimit, 20)
    .option("--cursor <text>", "where the page before ended")
    .action(async (options: Json & ListOptions) =>
      print(options, await listTransfersCommand(options)),
    );
}

const exitCodes = `
Exit codes: 0 accepted or completed; 3 failed; 4 not known yet, or still pending when the
waiting was over; 1 refused, or something is wrong with the command. After 4, run the
same command again: a reference pays once.`;

function withWait(command: Command): Command {
  return command
    .option("--wait", "until it is completed or has failed")
    .option("--timeout <seconds>", "of --wait", parseTimeout, 60);
}
