import { companyIdPrefix } from "../../../companies/company.ts";
import { keyIdPrefix, rotateKey } from "../../../companies/credentials.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { operator } from "../../../trail/actor.ts";
import type { Context, Outcome } from "../../context.ts";

export async function rotateKeyCommand(
  { config, database, signals, openBox }: Context,
  companyId: string,
  options: { readonly overlap: number },
): Promise<Outcome> {
  const request = { companyId, overlapSeconds: options.overlap };
  const by = operator("key rotate");
  const { keysMax } = config.quotas;
  const key = await rotateKey(database, signals, await openBox(), new Date(), request, by, keysMax);
  const keyId = toPublicId(keyIdPrefix, key.keyId);
  return {
    value: {
      companyId: toPublicId(companyIdPrefix, companyId),
      keyId,
      accessToken: key.accessToken,
      secretKey: key.secretKey,
    },
    text: [
      `A new key was issued; the old ones end in ${options.overlap} seconds. It is shown this once:`,
      `  key id        ${keyId}`,
      `  access token  ${key.accessToken}`,
      `  secret key    ${key.secretKey}`,
    ].join("\n"),
  };
}
