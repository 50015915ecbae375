import { type Command, Option } from "commander";
import { chargeStatuses } from "../../charges/charge.ts";
import { parseSince, parseUntil } from "../clock.ts";
import { type ListChargesOptions, listChargesCommand } from "../commands/charge/list.ts";
import { showChargeCommand } from "../commands/charge/show.ts";
import { parseCompanyId, parseLimit, parseSubCompanyId } from "../read-options.ts";
import { type Json, run, withJson } from "../run.ts";

export function addChargeCommands(program: Command): void {
  const charge = program.command("charge").description("Money asked of people");
  withJson(charge.command("show").description("A charge and everything that happened to it"))
    .argument("<charge>", "its id, or the company's own id of it")
    .option("--company <id>", "of this company alone", parseCompanyId)
    .action((text: string, options: Json & { company?: string }) =>
      run(options, (context) => showChargeCommand(context, text, options)),
    );
  withJson(charge.command("list").description("A company's charges, newest first"))
    .argument("<company>", "company id", parseCompanyId)
    .addOption(new Option("--status <status>", "in this state").choices(chargeStatuses))
    .option("--sub-company <id>", "of this sub-company", parseSubCompanyId)
    .option("--since <moment>", "a day, a moment, or how long ago: 24h", parseSince)
    .option("--until <moment>", "a day, a moment, or how long ago: 1h", parseUntil)
    .option("--limit <count>", "how many", parseLimit, 50)
    .option("--cursor <text>", "where the page before ended")
    .action((id: string, options: Json & ListChargesOptions) =>
      run(options, (context) => listChargesCommand(context, id, options)),
    );
}
