import type { Command } from "commander";
import { bindLedgerKeysCommand } from "../commands/ledger-key/bind.ts";
import { listLedgerKeysCommand } from "../commands/ledger-key/list.ts";
import { type Json, run, withJson, withYes, type Yes } from "../run.ts";

export function addLedgerKeyCommands(program: Command): void {
  const ledgerKey = program
    .command("ledger-key")
    .description("The keys that the books are signed with");
  withJson(
    ledgerKey
      .command("list")
      .description("Which are the operator's; exit 1 when one of them is not"),
  ).action((options: Json) => run(options, listLedgerKeysCommand));
  withYes(
    ledgerKey
      .command("bind")
      .description("Say that keys from before a master key was lost are the operator's"),
  )
    .argument("<key...>", "their ids, after you compared them with what was kept outside")
    .action((ids: string[], options: Json & Yes) =>
      run(options, (context) => bindLedgerKeysCommand(context, ids, options)),
    );
}
