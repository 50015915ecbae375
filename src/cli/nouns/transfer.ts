import { type Command, Option } from "commander";
import { transferStatuses } from "../../transfers/transfer.ts";
import { parseSince, parseUntil } from "../clock.ts";
import { showBatchCommand } from "../commands/batch/show.ts";
import { type ListTransfersOptions, listTransfersCommand } from "../commands/transfer/list.ts";
import { showTransferCommand } from "../commands/transfer/show.ts";
import {
  parseBatchId,
  parseCompanyId,
  parseLimit,
  parseMsisdn,
  parseSubCompanyId,
} from "../read-options.ts";
import { type Json, run, withJson } from "../run.ts";

export function addTransferCommands(program: Command): void {
  const transfer = program.command("transfer").description("Money sent to people");
  withJson(transfer.command("show").description("A transfer and everything that happened to it"))
    .argument("<transfer>", "its id, its reference, or the reference that the recipient sees")
    .option("--company <id>", "of this company alone", parseCompanyId)
    .action((text: string, options: Json & { company?: string }) =>
      run(options, (context) => showTransferCommand(context, text, options)),
    );
  withJson(transfer.command("list").description("A company's transfers, newest first"))
    .argument("<company>", "company id", parseCompanyId)
    .addOption(new Option("--status <status>", "in this state").choices(transferStatuses))
    .option("--msisdn <number>", "to this phone number", parseMsisdn)
    .option("--batch <id>", "of this batch", parseBatchId)
    .option("--sub-company <id>", "of this sub-company", parseSubCompanyId)
    .option("--since <moment>", "a day, a moment, or how long ago: 24h", parseSince)
    .option("--until <moment>", "a day, a moment, or how long ago: 1h", parseUntil)
    .option("--limit <count>", "how many", parseLimit, 50)
    .option("--cursor <text>", "where the page before ended")
    .action((id: string, options: Json & ListTransfersOptions) =>
      run(options, (context) => listTransfersCommand(context, id, options)),
    );
  const batch = program.command("batch").description("Transfers accepted together");
  withJson(batch.command("show").description("A batch, how far it is, and what failed"))
    .argument("<batch>", "its id")
    .option("--company <id>", "of this company alone", parseCompanyId)
    .option("--limit <count>", "how many of those that failed", parseLimit, 20)
    .action((text: string, options: Json & { company?: string; limit: number }) =>
      run(options, (context) => showBatchCommand(context, text, options)),
    );
}
