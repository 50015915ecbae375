import { rotateMasterKey } from "../../../companies/rotate-master-key.ts";
import type { Context, Outcome } from "../../context.ts";
import { counted } from "../../counted.ts";

export async function rotateMasterKeyCommand({ config, database }: Context): Promise<Outcome> {
  const { from, to, resealed, oldKeyFile } = await rotateMasterKey(database, config);
  const aside =
    oldKeyFile === undefined
      ? "Take the old key out of MASTER_KEY on every node."
      : `The old key is in ${oldKeyFile}.`;
  return {
    value: { from, to, resealed },
    text: [
      `${counted(resealed, "signing secret", "was", "were")} sealed anew: everything opens with the master key ${to} (its fingerprint).`,
      `${aside} Only backups from before need it: keep it with them, or delete it with them.`,
    ].join("\n"),
  };
}
