import { type Command, Option } from "commander";
import { chargeStatuses } from "../../charges/charge.ts";
import {
  parseKey,
  parseOwnReference,
  parseOwnSubCompanyId,
  parsePageLimit,
  withExample,
  withLogin,
} from "../business-options.ts";
import { parseSince, parseUntil } from "../clock.ts";
import { type CreateOptions, createChargeCommand } from "../commands/charges/create.ts";
import { getChargeCommand } from "../commands/charges/get.ts";
import { type ListOptions, listChargesCommand } from "../commands/charges/list.ts";
import { type PayOptions, payChargeCommand } from "../commands/charges/pay.ts";
import { type RefundOptions, refundChargeCommand } from "../commands/charges/refund.ts";
import type { ClientOptions } from "../read-client.ts";
import { parseAmount, parseMsisdn } from "../read-options.ts";
import { type Json, print, withJson, withYes } from "../run.ts";

export function addBusinessChargeCommands(program: Command): void {
  const charges = program
    .command("charges")
    .description("Ask to be paid, see what was paid, and give money back");
  addReading(charges);
  withExample(
    withLogin(withJson(charges.command("create"))),
    `cauri charges create --amount 15000 --external-id order-142 --description "Order 142"`,
  )
    .description("Make a charge, and show where it is paid")
    .requiredOption("--amount <francs>", "whole francs", parseAmount)
    .requiredOption("--external-id <text>", "yours; it makes one charge", parseOwnReference)
    .requiredOption("--description <text>", "shown to the payer")
    .option("--on-completed <url>", "where the payer goes after paying; the service's own page")
    .option("--on-canceled <url>", "where the payer goes after giving up; the service's own page")
    .option("--sub-company <id>", "on its behalf", parseOwnSubCompanyId)
    .action(async (options: Json & CreateOptions) =>
      print(options, await createChargeCommand(options)),
    );
  withExample(
    withLogin(withJson(charges.command("pay"))),
    "cauri charges pay order-142",
    "cauri charges pay order-142 --fail",
  )
    .description("Play the payer, in staging: pay a charge")
    .argument("<charge>", "its id, or your external id")
    .addOption(
      new Option("--from <msisdn>", "the payer; the test number that succeeds when absent")
        .argParser(parseMsisdn)
        .conflicts("fail"),
    )
    .option("--fail", "pay with the test number whose payments fail")
    .addHelpText("after", "\nExit codes: 0 paid; 3 the payment has failed; 1 refused.")
    .action(async (text: string, options: Json & PayOptions) =>
      print(options, await payChargeCommand(text, options)),
    );
  withExample(
    withLogin(withYes(charges.command("refund"))),
    "cauri charges refund order-142 --amount 5000",
  )
    .description("Give a payer's money back; shows what will happen and asks first")
    .argument("<charge>", "its id, or your external id")
    .option("--amount <francs>", "a part; all that is left when absent", parseAmount)
    .option("--reason <text>", "why; kept, and shown with the refund")
    .option(
      "--key <text>",
      "of a refund whose outcome is not known: it is not made twice",
      parseKey,
    )
    .addHelpText(
      "after",
      "\nExit codes: 0 given back; 1 refused; 4 not known: run it again with the --key that is shown.",
    )
    .action(async (text: string, options: Json & RefundOptions) =>
      print(options, await refundChargeCommand(text, options)),
    );
}

function addReading(charges: Command): void {
  withExample(
    withLogin(withJson(charges.command("list"))),
    "cauri charges list --status paid --since 7d",
  )
    .description("Charges, newest first")
    .addOption(new Option("--status <status>", "in this state").choices(chargeStatuses))
    .option("--external-id <text>", "the one with this external id", parseOwnReference)
    .option("--sub-company <id>", "of this sub-company", parseOwnSubCompanyId)
    .option("--since <moment>", "a day, a moment, or how long ago: 24h", parseSince)
    .option("--until <moment>", "a day, a moment, or how long ago: 1h", parseUntil)
    .option("--limit <count>", "how many, up to 100", parsePageLimit, 20)
    .option("--cursor <text>", "where the page before ended")
    .action(async (options: Json & ListOptions) =>
      print(options, await listChargesCommand(options)),
    );
  withExample(withLogin(withJson(charges.command("get"))), "cauri charges get order-142")
    .description("One charge, with its payments and refunds")
    .argument("<charge>", "its id, or your external id")
    .action(async (text: string, options: ClientOptions & Json) =>
      print(options, await getChargeCommand(text, options)),
    );
}
