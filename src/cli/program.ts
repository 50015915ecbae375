import { Command, Help, type Option } from "commander";
import type { Config } from "../config.ts";
import type { AuditCheck } from "../ledger/audit.ts";

/** Parts that are handed in: they see every folder, so this one may not import them. */
export interface ProgramParts {
  readonly version: string;
  readonly serve: (config: Config) => Promise<void>;
  readonly loadAuditChecks: () => Promise<readonly AuditCheck[]>;
  /** What is wrong with the arguments is told by whoever runs the program, and not by the parser. */
  readonly isSilent: boolean;
}

interface Words {
  readonly words: readonly string[];
  readonly add: (program: Command, parts: ProgramParts) => Promise<void>;
}

/** In the order of the help. Each brings the code of its words along, which is most of what a short command waits for. */
export const vocabulary: readonly Words[] = [
  {
    words: ["serve", "migrate", "audit", "backup", "restore", "shard", "trail"],
    add: async (program, parts) =>
      (await import("./nouns/installation.ts")).addInstallationCommands(program, parts),
  },
  {
    words: ["statement", "verify", "seal"],
    add: async (program) => (await import("./nouns/statement.ts")).addStatementCommands(program),
  },
  {
    words: ["company", "sub-company", "posting"],
    add: async (program) => (await import("./nouns/company.ts")).addCompanyCommands(program),
  },
  {
    words: ["key"],
    add: async (program) => (await import("./nouns/key.ts")).addKeyCommands(program),
  },
  {
    words: ["staff"],
    add: async (program) => (await import("./nouns/staff.ts")).addStaffCommands(program),
  },
  {
    words: ["master-key"],
    add: async (program) => (await import("./nouns/master-key.ts")).addMasterKeyCommands(program),
  },
  {
    words: ["customer"],
    add: async (program) => (await import("./nouns/customer.ts")).addCustomerCommands(program),
  },
  {
    words: ["transfer", "batch"],
    add: async (program) => (await import("./nouns/transfer.ts")).addTransferCommands(program),
  },
  {
    words: ["charge"],
    add: async (program) => (await import("./nouns/charge.ts")).addChargeCommands(program),
  },
  {
    words: ["webhook"],
    add: async (program) => (await import("./nouns/webhook.ts")).addWebhookCommands(program),
  },
  {
    words: ["login", "logout", "doctor", "trigger", "verify-signature"],
    add: async (program) =>
      (await import("./nouns/integration.ts")).addIntegrationCommands(program),
  },
  {
    words: ["transfers"],
    add: async (program) =>
      (await import("./nouns/transfers.ts")).addBusinessTransferCommands(program),
  },
  {
    words: ["charges"],
    add: async (program) => (await import("./nouns/charges.ts")).addBusinessChargeCommands(program),
  },
  {
    words: ["webhooks"],
    add: async (program) =>
      (await import("./nouns/webhooks.ts")).addBusinessWebhookCommands(program),
  },
  {
    words: ["payout"],
    add: async (program) => (await import("./nouns/payout.ts")).addPayoutCommands(program),
  },
];

/** The program, as far as its first word needs it: all of it for help, and for a word that nobody knows. */
export async function buildProgram(parts: ProgramParts, args: readonly string[]): Promise<Command> {
  const program = new Command("cauri")
    .description(
      "A payout and collection server for XOF. Settings come from the environment; see docs/operating.md.",
    )
    .version(parts.version)
    .showHelpAfterError("(add --help for the options)")
    .configureHelp({ optionDescription: describeOption })
    .hook("preAction", (_program, command) => refuseSwallowedOptions(command))
    .exitOverride();
  if (parts.isSilent) program.configureOutput({ writeErr: () => {} });

  const known = vocabulary.filter(({ words }) => words.includes(args[0] ?? ""));
  for (const { add } of known.length > 0 ? known : vocabulary) await add(program, parts);
  return program;
}

function describeOption(option: Option): string {
  const said = new Help().optionDescription(option);
  return option.mandatory ? `${said} (required)` : said;
}

/** `--reference --yes`: the parser takes the second for the value of the first, and money would move under that name. */
function refuseSwallowedOptions(command: Command): void {
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (command.options.some(({ long }) => long !== undefined && long === value))
      command.error(`error: option '${option.flags}' argument missing before ${String(value)}`);
  }
}
