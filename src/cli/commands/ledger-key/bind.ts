import { bindLedgerKeys, openLedgerKey } from "../../../statements/ledger-key.ts";
import { confirm } from "../../confirm.ts";
import type { Context, Outcome } from "../../context.ts";
import type { Yes } from "../../run.ts";

/** For keys from before a master key was lost. Only a person can know them, by what was kept outside. */
export async function bindLedgerKeysCommand(
  { database, openBox }: Context,
  ids: readonly string[],
  options: Yes,
): Promise<Outcome> {
  const own = await openLedgerKey(database, await openBox());
  await confirm(
    `Have you compared ${ids.join(", ")} with what was kept outside? Whatever they signed will count as the operator's.`,
    options,
  );
  const bound = await bindLedgerKeys(database, own, ids);
  return {
    value: { bound },
    text:
      bound.length === 0
        ? "They were bound already; nothing was changed."
        : `Bound to ${own.id}, which signs now: ${bound.join(", ")}. Days are sealed again; cauri seal does it at once.`,
  };
}
