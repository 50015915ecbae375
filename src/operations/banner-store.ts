import type { Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Banner, NewBanner } from "./banner.ts";

/** What is shown now, wherever it was set. */
export async function selectBanner(database: Queryable): Promise<Banner | undefined> {
  const [row] = await database.query<Banner>(sql`
    select severity, text_fr as fr, text_en as en, shown_at as "shownAt", ends_at as "endsAt"
    from banners where place = 'console' and ends_at > now()`);
  return row;
}

/** In place of the one before. It ends so many minutes from now, by the database's clock. */
export async function upsertBanner(
  tx: Tx,
  personId: string,
  { severity, fr, en, minutes }: NewBanner,
): Promise<void> {
  await tx.query(sql`
    insert into banners as b (place, severity, text_fr, text_en, person_id, shown_at, ends_at)
    values ('console', ${severity}, ${fr}, ${en}, ${personId}, now(), now() + make_interval(mins => ${minutes}))
    on conflict (place) do update set severity = excluded.severity, text_fr = excluded.text_fr,
      text_en = excluded.text_en, person_id = excluded.person_id, shown_at = excluded.shown_at, ends_at = excluded.ends_at`);
}

/** False when none was shown. */
export async function endBannerNow(tx: Tx): Promise<boolean> {
  const rows = await tx.query(sql`
    update banners set ends_at = now() where place = 'console' and ends_at > now() returning 1`);
  return rows.length > 0;
}
