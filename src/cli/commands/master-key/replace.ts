import { companyIdPrefix } from "../../../companies/company.ts";
import { keyIdPrefix } from "../../../companies/credentials.ts";
import { replaceLostSecrets } from "../../../companies/replace-lost-secrets.ts";
import { inspectVault } from "../../../companies/vault.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import type { Context, Outcome } from "../../context.ts";
import { toTable } from "../../table.ts";

/** Without --yes it only tells what it would do. */
export async function replaceMasterKeyCommand(
  { config, database, signals }: Context,
  options: { readonly yes?: boolean },
): Promise<Outcome> {
  return options.yes === true
    ? replace(config, database, signals)
    : preview(await inspectVault(database, config));
}

function preview(unopened: Awaited<ReturnType<typeof inspectVault>>): Outcome {
  return {
    value: unopened,
    text: [
      `${unopened.secrets} signing secrets of ${unopened.companies} companies cannot be opened: ${unopened.names.join(", ") || "none"}.`,
      "With --yes each of them is replaced by a new one, to be handed to its company, and payment links that were given out end.",
    ].join("\n"),
    exitCode: 1,
  };
}

async function replace(
  config: Context["config"],
  database: Context["database"],
  signals: Context["signals"],
): Promise<Outcome> {
  const replaced = (await replaceLostSecrets(database, signals, config)).map((secret) => ({
    companyId: toPublicId(companyIdPrefix, secret.companyId),
    name: secret.companyName,
    keyId: toPublicId(keyIdPrefix, secret.keyId),
    secretKey: secret.secretKey,
  }));
  return {
    value: replaced,
    text: [
      "These companies have new signing secrets. Their access tokens, money and everything else are as before:",
      toTable([
        ["COMPANY", "NAME", "KEY", "SECRET KEY"],
        ...replaced.map(({ companyId, name, keyId, secretKey }) => [
          companyId,
          name,
          keyId,
          secretKey,
        ]),
      ]),
      "The books are signed with another key from now on. Nothing but a person can say that those from before are yours: compare them with what was kept outside, then bind them (cauri ledger-key list, cauri ledger-key bind). No day is sealed until then.",
      "Restart every node, and hand each company its secret: until then its receivers refuse what it is told.",
    ].join("\n"),
  };
}
