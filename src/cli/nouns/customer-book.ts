import type { Command } from "commander";
import { exportCustomersCommand } from "../commands/customer/export.ts";
import {
  type ImportCustomersOptions,
  importCustomersCommand,
} from "../commands/customer/import.ts";
import { showCustomerCommand } from "../commands/customer/show.ts";
import { parseMsisdn } from "../read-options.ts";
import { type Json, run, withJson, withYes } from "../run.ts";

/** What is done with the customer book as a whole, and a look at one person. */
export function addBookCommands(customer: Command): void {
  withJson(customer.command("show").description("One person, and what the wallet holds"))
    .argument("<msisdn>", "phone number with country code", parseMsisdn)
    .action((msisdn: string, options: Json) =>
      run(options, (context) => showCustomerCommand(context, msisdn)),
    );
  withYes(
    customer
      .command("import")
      .description(
        "Add and change many people from a file; what a row leaves empty stays as it is",
      ),
  )
    .argument(
      "<file>",
      ".csv or .xlsx with the headings msisdn, first name, last name, kyc, limit (or in French)",
    )
    .option("--dry-run", "check and count, and change nothing")
    .action((file: string, options: Json & ImportCustomersOptions) =>
      run(options, (context) => importCustomersCommand(context, file, options)),
    );
  withJson(
    customer.command("export").description("Write the whole book as CSV, to be imported again"),
  )
    .argument("<file>", "where to write it; it must not be there yet")
    .action((file: string, options: Json) =>
      run(options, (context) => exportCustomersCommand(context, file)),
    );
}
