import type { Database } from "../database/database.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { recordForPerson } from "../trail/record.ts";
import type { NewBanner } from "./banner.ts";
import { endBannerNow, upsertBanner } from "./banner-store.ts";

/** Shows it on every page, on every node within seconds, in place of what was shown before. */
export function setBanner(database: Database, banner: NewBanner, by: ConsolePerson): Promise<void> {
  return database.transaction(async (tx) => {
    await upsertBanner(tx, by.personId, banner);
    await recordForPerson(tx, by.personId, by, { action: "banner.set", to: { ...banner } });
  });
}

/** False when none was shown. */
export function endBanner(database: Database, by: ConsolePerson): Promise<boolean> {
  return database.transaction(async (tx) => {
    if (!(await endBannerNow(tx))) return false;
    await recordForPerson(tx, by.personId, by, { action: "banner.ended" });
    return true;
  });
}
