import type { Command } from "commander";
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

export type Audience = "operator" | "business" | "everybody";

export interface Words {
  readonly audience: Audience;
  readonly words: readonly string[];
  readonly add: (program: Command, parts: ProgramParts) => Promise<void>;
}

/** In the order of the help. Each brings the code of its words along, which is most of what a short command waits for. */
export const vocabulary: readonly Words[] = [
  {
    audience: "operator",
    words: ["serve", "migrate", "check", "audit", "backup", "restore", "shard", "trail"],
    add: async (program, parts) =>
      (await import("./nouns/installation.ts")).addInstallationCommands(program, parts),
  },
  {
    audience: "operator",
    words: ["statement", "seal"],
    add: async (program) => (await import("./nouns/statement.ts")).addStatementCommands(program),
  },
  {
    audience: "operator",
    words: ["company", "sub-company", "posting"],
    add: async (program) => (await import("./nouns/company.ts")).addCompanyCommands(program),
  },
  {
    audience: "operator",
    words: ["key"],
    add: async (program) => (await import("./nouns/key.ts")).addKeyCommands(program),
  },
  {
    audience: "operator",
    words: ["staff"],
    add: async (program) => (await import("./nouns/staff.ts")).addStaffCommands(program),
  },
  {
    audience: "operator",
    words: ["master-key"],
    add: async (program) => (await import("./nouns/master-key.ts")).addMasterKeyCommands(program),
  },
  {
    audience: "operator",
    words: ["ledger-key"],
    add: async (program) => (await import("./nouns/ledger-key.ts")).addLedgerKeyCommands(program),
  },
  {
    audience: "operator",
    words: ["customer"],
    add: async (program) => (await import("./nouns/customer.ts")).addCustomerCommands(program),
  },
  {
    audience: "operator",
    words: ["transfer", "batch"],
    add: async (program) => (await import("./nouns/transfer.ts")).addTransferCommands(program),
  },
  {
    audience: "operator",
    words: ["charge"],
    add: async (program) => (await import("./nouns/charge.ts")).addChargeCommands(program),
  },
  {
    audience: "operator",
    words: ["webhook"],
    add: async (program) => (await import("./nouns/webhook.ts")).addWebhookCommands(program),
  },
  {
    audience: "business",
    words: ["login", "logout", "profiles"],
    add: async (program) => (await import("./nouns/login.ts")).addLoginCommands(program),
  },
  {
    audience: "business",
    words: ["balance", "customers"],
    add: async (program) => (await import("./nouns/account.ts")).addAccountCommands(program),
  },
  {
    audience: "business",
    words: ["transfers"],
    add: async (program) =>
      (await import("./nouns/transfers.ts")).addBusinessTransferCommands(program),
  },
  {
    audience: "business",
    words: ["charges"],
    add: async (program) => (await import("./nouns/charges.ts")).addBusinessChargeCommands(program),
  },
  {
    audience: "business",
    words: ["payout"],
    add: async (program) => (await import("./nouns/payout.ts")).addPayoutCommands(program),
  },
  {
    audience: "business",
    words: ["webhooks"],
    add: async (program) =>
      (await import("./nouns/webhooks.ts")).addBusinessWebhookCommands(program),
  },
  {
    audience: "business",
    words: ["logs"],
    add: async (program) => (await import("./nouns/logs.ts")).addLogCommands(program),
  },
  {
    audience: "business",
    words: ["doctor", "trigger", "verify-signature"],
    add: async (program) =>
      (await import("./nouns/integration.ts")).addIntegrationCommands(program),
  },
  {
    audience: "business",
    words: ["get", "post"],
    add: async (program) => (await import("./nouns/api.ts")).addApiCommands(program),
  },
  {
    audience: "everybody",
    words: ["verify"],
    add: async (program) => (await import("./nouns/verify.ts")).addVerifyCommand(program),
  },
  {
    audience: "everybody",
    words: ["completion"],
    add: async (program, parts) =>
      (await import("./nouns/completion.ts")).addCompletionCommand(program, parts),
  },
];

export function audienceOf(word: string): Audience | undefined {
  return vocabulary.find(({ words }) => words.includes(word))?.audience;
}

/** What the other audience has for the same: the operator's `transfer` is the business's `transfers`. */
export function counterpartOf(word: string): string | undefined {
  const audience = audienceOf(word);
  const other = audience === "operator" ? `${word}s` : word.replace(/s$/, "");
  const theirs = audience === "operator" ? "business" : "operator";
  return audienceOf(other) === theirs ? other : undefined;
}
