import type { Command } from "commander";
import { listKeysCommand } from "../commands/key/list.ts";
import { revokeKeyCommand } from "../commands/key/revoke.ts";
import { rotateKeyCommand } from "../commands/key/rotate.ts";
import { parseCompanyId, parseDuration, parseKeyId } from "../read-options.ts";
import { type Json, run, withJson, withYes, type Yes } from "../run.ts";

export function addKeyCommands(program: Command): void {
  const key = program
    .command("key")
    .description("Access tokens and the secret keys issued with them");
  withJson(key.command("rotate").description("Issue a new key; the old ones end after an overlap"))
    .argument("<company>", "company id", parseCompanyId)
    .option(
      "--overlap <duration>",
      "how long old keys stay good: 90s, 15m, 24h, 7d",
      parseDuration,
      86_400,
    )
    .action((id: string, options: Json & { overlap: number }) =>
      run(options, (context) => rotateKeyCommand(context, id, options)),
    );
  withYes(key.command("revoke").description("End a key at once, on every node, for ever"))
    .argument("<key>", "key id", parseKeyId)
    .action((id: string, options: Json & Yes) =>
      run(options, (context) => revokeKeyCommand(context, id, options)),
    );
  withJson(key.command("list").description("A company's keys, without their secrets"))
    .argument("<company>", "company id", parseCompanyId)
    .action((id: string, options: Json) => run(options, (context) => listKeysCommand(context, id)));
}
