import { type Command, InvalidArgumentError } from "commander";
import { withExample, withLogin } from "../business-options.ts";
import { type TailOptions, tailCommand } from "../commands/logs/tail.ts";
import { parseSequence } from "../read-options.ts";
import { print } from "../run.ts";

const lastMax = 1_000;

export function addLogCommands(program: Command): void {
  const logs = program.command("logs").description("What happens to the account, as it happens");
  withExample(
    withLogin(logs.command("tail")),
    "cauri logs tail --topics transactions/failed,charge/events",
    "cauri logs tail --last 100 --no-follow --json",
  )
    .description("Show the last events and those that follow, until Ctrl-C")
    .option("--json", "print each event, and at the end how many there were, as a line of JSON")
    .option("-n, --last <count>", "how many of the last to begin with", parseLast, 10)
    .option("--after <sequence>", "from this event on, instead of the last ones", parseSequence)
    .option("--topics <names>", "only these, with commas between them")
    .option("--no-follow", "end with what has happened already")
    .addHelpText(
      "after",
      "\nThese are the events of GET /v1/events: transfers, batches, charges, statements. The log of the\nrequests of your programs is in the console, under Developers; the API has no call for it.",
    )
    .action(async (options: TailOptions) => print(options, await tailCommand(options)));
}

function parseLast(text: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) > lastMax)
    throw new InvalidArgumentError(`Give 0 to ${lastMax}.`);
  return Number(text);
}
