import type { Command } from "commander";
import { forBusiness, parseKey, parseOwnReference, withUrl } from "../business-options.ts";
import { type CreateOptions, createChargeCommand } from "../commands/charges/create.ts";
import { getChargeCommand } from "../commands/charges/get.ts";
import { type RefundOptions, refundChargeCommand } from "../commands/charges/refund.ts";
import { parseAmount } from "../read-options.ts";
import { type Json, print, withJson, withYes } from "../run.ts";

export function addBusinessChargeCommands(program: Command): void {
  const charges = forBusiness(program.command("charges")).description(
    "Ask to be paid, and give money back",
  );
  withUrl(withJson(charges.command("create")))
    .description("Make a charge, and show where it is paid")
    .requiredOption("--amount <francs>", "whole francs", parseAmount)
    .requiredOption("--external-id <text>", "yours; it makes one charge", parseOwnReference)
    .requiredOption("--description <text>", "shown to the payer")
    .option("--on-completed <url>", "where the payer goes after paying; the service's own page")
    .option("--on-canceled <url>", "where the payer goes after giving up; the service's own page")
    .option("--sub-company <id>", "on its behalf")
    .action(async (options: Json & CreateOptions) =>
      print(options, await createChargeCommand(options)),
    );
  withUrl(withJson(charges.command("get")))
    .description("One charge, with its payments and refunds")
    .argument("<charge>", "its id, or your external id")
    .action(async (text: string, options: Json & { url?: string }) =>
      print(options, await getChargeCommand(text, options)),
    );
  withUrl(withYes(charges.command("refund")))
    .description("Give a payer's money back; shows what will happen and asks first")
    .argument("<charge>", "its id, or your external id")
    .option("--amount <francs>", "a part; all that is left when absent", parseAmount)
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
