import { expect } from "vitest";
import { makeCompany, test } from "../../test/fixtures.ts";
import { sqlState } from "../database/errors.ts";
import { balancesOf } from "./post.ts";

/** What writes into the books between reading and keeping them. */
const meanwhile = {
  "a posting": `
    perform post_movements(v_read.company_id, 'company.funded', 'external', 'available',
      array[gen_random_uuid()], array[500::bigint])`,
  "an event": `
    perform publish_events(v_read.company_id, 'charge/events', array[gen_random_uuid()], array['{}'])`,
};

for (const [what, statement] of Object.entries(meanwhile)) {
  test(`books that hold ${what} which their reader does not know are not written over`, async ({
    db,
  }) => {
    const { id } = await makeCompany(db.database, { fund: 1_000 });

    const kept = db.database.query({
      text: `do $$
        declare v_read books; v_made books;
        begin
          select * into v_read from books where company_id = '${id}' for update;
          v_made := v_read;
          ${statement};
          perform keep_books(v_read, v_made);
        end $$`,
      values: [],
    });

    expect(sqlState(await kept.catch((error: unknown) => error))).toBe("CA003");
    expect((await balancesOf(db.database, id)).available).toBe(1_000);
  });
}
