import { keyIdPrefix, revokeKey } from "../../../companies/credentials.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { operator } from "../../../trail/actor.ts";
import type { Context, Outcome } from "../../context.ts";

export async function revokeKeyCommand(
  { database, signals }: Context,
  keyId: string,
): Promise<Outcome> {
  await revokeKey(database, signals, keyId, operator("key revoke"));
  const id = toPublicId(keyIdPrefix, keyId);
  return {
    value: { keyId: id, revoked: true },
    text: `${id} is revoked; its access token no longer works.`,
  };
}
