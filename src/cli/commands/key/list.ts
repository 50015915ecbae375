import { keyIdPrefix, listKeys } from "../../../companies/credentials.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { toVisible } from "../../../kernel/visible.ts";
import type { Context, Outcome } from "../../context.ts";
import { findClock } from "../../find-clock.ts";
import { toTable } from "../../table.ts";

export async function listKeysCommand(context: Context, companyId: string): Promise<Outcome> {
  const { database } = context;
  const clock = await findClock(context, companyId);
  const keys = (await listKeys(database, companyId)).map((key) => ({
    keyId: toPublicId(keyIdPrefix, key.key_id),
    createdAt: key.created_at.toISOString(),
    expiresAt: key.expires_at?.toISOString() ?? null,
    revokedAt: key.revoked_at?.toISOString() ?? null,
    name: key.name,
    lastUsedAt: key.used_at?.toISOString() ?? null,
  }));
  return {
    value: keys,
    text: `${toTable([
      ["KEY", "NAME", "CREATED", "EXPIRES", "REVOKED", "LAST USED"],
      ...keys.map(({ keyId, name, createdAt, expiresAt, revokedAt, lastUsedAt }) => [
        keyId,
        name === null ? "" : toVisible(name),
        clock.show(createdAt),
        expiresAt === null ? "never" : clock.show(expiresAt),
        revokedAt === null ? "" : clock.show(revokedAt),
        lastUsedAt === null ? "" : clock.show(lastUsedAt),
      ]),
    ])}\n\n${clock.note}`,
  };
}
