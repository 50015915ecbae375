import { findUnopened } from "../../../companies/vault.ts";
import type { Context, Outcome } from "../../context.ts";

/** Fails with the secrets that cannot be opened, as a start of the service does. */
export async function checkMasterKeyCommand({ database, openBox }: Context): Promise<Outcome> {
  const box = await openBox();
  const { secrets, names } = await findUnopened(database, box);
  const [sealing = ""] = box.fingerprints;
  return {
    value: { masterKey: sealing, unopened: secrets },
    text:
      secrets === 0
        ? `The master key ${sealing} (its fingerprint) opens every secret.`
        : `${secrets} signing secrets are damaged, of ${names.join(", ")}. Rotate the keys of these companies.`,
    exitCode: secrets === 0 ? 0 : 1,
  };
}
