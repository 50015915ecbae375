import type { Queryable } from "../database/database.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import { selectAllSecrets } from "./credentials-store.ts";

/** The secret of one key, as it was shown once. Never to be shown again. */
export interface OpenedSecret {
  readonly keyId: string;
  readonly secret: string;
}

/** More than a company has in use. */
const secretsMax = 30;

/** The newest secrets of a company, those too that are good no more: what somebody may have verified with. */
export async function openSecrets(
  database: Queryable,
  box: Pick<SecretBox, "open">,
  companyId: string,
): Promise<OpenedSecret[]> {
  const rows = await selectAllSecrets(database, companyId, secretsMax);
  return rows.flatMap(({ key_id: keyId, sealed }) => {
    try {
      return [{ keyId, secret: box.open(sealed, companyId) }];
    } catch {
      // Sealed with a master key that is no more; nothing is signed with it either.
      return [];
    }
  });
}
