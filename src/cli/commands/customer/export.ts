import { isWalletFrozen } from "../../../customers/customer.ts";
import { eachCustomer } from "../../../customers/keep-book.ts";
import type { Row } from "../../../spreadsheets/cell.ts";
import { csvWriter } from "../../../spreadsheets/write-csv.ts";
import type { Context, Outcome } from "../../context.ts";
import { writeNewFile } from "../../files.ts";

const header = ["msisdn", "first_name", "last_name", "kyc", "limit", "balance", "state"];
const rowsAtOnce = 500;

export async function exportCustomersCommand(
  { database }: Context,
  file: string,
): Promise<Outcome> {
  let count = 0;
  async function* sets(): AsyncGenerator<readonly Row[]> {
    let set: Row[] = [];
    for await (const customer of eachCustomer(database)) {
      count += 1;
      const { balanceMax } = customer;
      set.push([
        { text: customer.msisdn },
        { text: customer.firstName },
        { text: customer.lastName },
        { text: customer.kycStatus },
        balanceMax === null ? { text: "" } : { amount: balanceMax },
        { amount: customer.balance },
        { text: isWalletFrozen(customer) ? "frozen" : "" },
      ]);
      if (set.length < rowsAtOnce) continue;
      yield set;
      set = [];
    }
    yield set;
  }
  await writeNewFile(file, csvWriter(header, sets(), "machine"));
  return { value: { file, count }, text: `${count} people are in ${file}.` };
}
