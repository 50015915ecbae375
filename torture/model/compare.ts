import { sql } from "../../src/database/sql.ts";
import { balancesOf } from "../../src/ledger/post.ts";
import type { Books } from "./books.ts";
import { compareCharge } from "./charge-commands.ts";
import { demandEqual } from "./command.ts";
import type { World } from "./world.ts";

/** At the end of a run: everything the model holds, the service holds too, and not a franc more or less. */
export async function compareAll(books: Books, world: World): Promise<void> {
  await world.settle();
  books.settle();
  const { client, place, company } = world;
  demandEqual((await client.get("/v1/balance")).balance, books.available, "the balance");
  for (const transfer of books.transfers.values()) {
    const { data } = await client.get(`/v1/transactions?reference=${transfer.reference}`);
    demandEqual(
      (data as Record<string, unknown>[]).map((one) => ({
        reference: one["reference"],
        amount: one["amount"],
        fee: one["fee"],
        msisdn: one["msisdn"],
        status: one["status"],
        failureReason: one["failureReason"],
      })),
      [transfer],
      `transfer ${transfer.reference}`,
    );
  }
  for (const charge of books.charges)
    compareCharge(await client.get(`/v1/charges/${charge.id}`), charge);

  const [counted] = await place.database.query<{ transfers: number; charges: number }>(sql`
    select (select count(*) from transfers where company_id = ${company.id}) as transfers,
      (select count(*) from charges where company_id = ${company.id}) as charges`);
  demandEqual(
    counted,
    { transfers: books.transfers.size, charges: books.charges.length },
    "how many there are",
  );
  await compareMoney(books, world);
}

async function compareMoney(books: Books, world: World): Promise<void> {
  const { place, company } = world;
  const changes = await world.walletChanges();
  let inWallets = 0;
  for (const [msisdn, { balance }] of books.wallets) {
    demandEqual(changes.get(msisdn) ?? 0, balance, `the wallet ${msisdn}`);
    inWallets += balance;
  }
  const found = await balancesOf(place.database, company.id);
  const accounts = {
    available: books.available,
    in_flight: books.reserved,
    fees: books.fees,
    external: -books.funded,
    paid_out: inWallets,
  };
  demandEqual(JSON.stringify(found), JSON.stringify(accounts), "the accounts");
  const sum = Object.values(accounts).reduce((total, balance) => total + balance, 0);
  demandEqual(sum, 0, "the sum of all money");
}
