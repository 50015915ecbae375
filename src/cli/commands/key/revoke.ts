import { keyIdPrefix, revokeKey } from "../../../companies/credentials.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { operator } from "../../../trail/actor.ts";
import { confirm } from "../../confirm.ts";
import type { Context, Outcome } from "../../context.ts";
import type { Yes } from "../../run.ts";

export async function revokeKeyCommand(
  { database, signals }: Context,
  keyId: string,
  options: Yes,
): Promise<Outcome> {
  // Scripts revoke keys in a hurry; a person is asked once more, because there is no way back.
  const yes = options.yes === true || !process.stdin.isTTY;
  await confirm("Revoke this key? Whoever uses it is refused at once, and for ever.", { yes });
  await revokeKey(database, signals, keyId, operator("key revoke"));
  const id = toPublicId(keyIdPrefix, keyId);
  return {
    value: { keyId: id, revoked: true },
    text: `${id} is revoked; its access token no longer works.`,
  };
}
