import type { Command } from "commander";
import { withExample, withLogin } from "../business-options.ts";
import { balanceCommand } from "../commands/balance.ts";
import { checkCustomersCommand } from "../commands/customers/check.ts";
import type { ClientOptions } from "../read-client.ts";
import { parseMsisdn } from "../read-options.ts";
import { type Json, print, withJson } from "../run.ts";

/** The account, and the people it pays. */
export function addAccountCommands(program: Command): void {
  withExample(
    withLogin(withJson(program.command("balance"))),
    "cauri balance",
    "cauri balance --profile shop --json",
  )
    .description("What can be spent now")
    .action(async (options: ClientOptions & Json) => print(options, await balanceCommand(options)));
  const customers = program
    .command("customers")
    .description("The people behind phone numbers, as far as a business may see");
  withExample(
    withLogin(withJson(customers.command("check"))),
    "cauri customers check 2250700000000",
  )
    .description("Who has a number, and what can be sent to it")
    .argument("<msisdn...>", "phone numbers with country code", parseMsisdns)
    .addHelpText(
      "after",
      "\nExit codes: 0 each can receive; 3 a transfer to one of them would fail; 1 refused.",
    )
    .action(async (msisdns: readonly string[], options: ClientOptions & Json) =>
      print(options, await checkCustomersCommand(msisdns, options)),
    );
}

function parseMsisdns(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, parseMsisdn(text)];
}
