import { type Command, Option } from "commander";
import { kycStatuses } from "../../customers/customer.ts";
import { type AddCustomerOptions, addCustomerCommand } from "../commands/customer/add.ts";
import { freezeCustomerCommand, unfreezeCustomerCommand } from "../commands/customer/freeze.ts";
import { listCustomersCommand } from "../commands/customer/list.ts";
import { setCustomerCommand } from "../commands/customer/set.ts";
import { parseFrancs, parseMsisdn, parseName } from "../read-options.ts";
import { type Json, run, withJson, withYes, type Yes } from "../run.ts";
import { addBookCommands } from "./customer-book.ts";

export function addCustomerCommands(program: Command): void {
  const customer = program
    .command("customer")
    .description("The customer book: people known by a phone number");
  withJson(customer.command("add").description("Put a person into the book, with an empty wallet"))
    .argument("<msisdn>", "phone number with country code", parseMsisdn)
    .requiredOption("--first-name <name>", "first name", parseName)
    .requiredOption("--last-name <name>", "last name", parseName)
    .addOption(kyc().makeOptionMandatory())
    .option("--limit <francs>", "the most the wallet may hold", parseFrancs)
    .action((msisdn: string, options: Json & AddCustomerOptions) =>
      run(options, (context) => addCustomerCommand(context, msisdn, options)),
    );
  withJson(customer.command("set").description("Change what is given, keep the rest"))
    .argument("<msisdn>", "phone number with country code", parseMsisdn)
    .option("--first-name <name>", "first name", parseName)
    .option("--last-name <name>", "last name", parseName)
    .addOption(kyc())
    .option("--limit <francs>", "the most the wallet may hold", parseFrancs)
    .action((msisdn: string, options: Json & Partial<AddCustomerOptions>) =>
      run(options, (context) => setCustomerCommand(context, msisdn, options)),
    );
  withYes(customer.command("freeze").description("Let a wallet neither receive nor pay"))
    .argument("<msisdn>", "phone number with country code", parseMsisdn)
    .action((msisdn: string, options: Json & Yes) =>
      run(options, (context) => freezeCustomerCommand(context, msisdn, options)),
    );
  withYes(customer.command("unfreeze").description("Let a frozen wallet receive and pay again"))
    .argument("<msisdn>", "phone number with country code", parseMsisdn)
    .action((msisdn: string, options: Json & Yes) =>
      run(options, (context) => unfreezeCustomerCommand(context, msisdn, options)),
    );
  withJson(customer.command("list").description("Everybody in the book")).action((options: Json) =>
    run(options, listCustomersCommand),
  );
  addBookCommands(customer);
}

function kyc(): Option {
  return new Option("--kyc <status>", "identification status").choices([...kycStatuses]);
}
