import { setKeysAloneMax } from "../src/approvals/rules.ts";
import { operator } from "../src/trail/actor.ts";
import { type ConsoleStage, hiddenIn, readPage, type Seat, sendForm } from "./console-seats.ts";
import { opener, type PageState } from "./page-states.ts";
import { api } from "./stage.ts";

const held = "/console/approvals/held";

/** What programs have sent and a person has to look at: a batch that was refused, one that waits, and single ones. */
export async function makeHeldStates(
  stage: ConsoleStage,
  { owner, preparer, newcomer }: Record<"owner" | "preparer" | "newcomer", Seat>,
): Promise<PageState[]> {
  const by = operator("cauri company set");
  const at = (path: string, seat: Seat = owner) => opener(stage, path, seat.cookies);
  await setKeysAloneMax(stage.database, stage.companyId, 0, by);
  const unknown = await sendBatch(stage, "fournisseurs", 4);
  await refuse(stage, owner, unknown);
  await sendBatch(stage, "livreurs", 6);
  const { id } = await api(stage, "/v1/transactions", transferOf(stage, "Avoir client 8841", 0));
  await setKeysAloneMax(stage.database, stage.companyId, null, by);
  const { transactions } = unknown as unknown as { transactions: readonly { id: string }[] };
  return [
    { name: "console-held", open: at(held) },
    { name: "console-held-may-not", open: at(`${held}?transaction=${String(id)}`, preparer) },
    { name: "console-held-empty", open: at(held, newcomer) },
    { name: "console-transfer-held", open: at(`/console/transfers/${String(id)}`) },
    { name: "console-transfer-refused", open: at(`/console/transfers/${transactions[0]?.id}`) },
  ];
}

function transferOf({ people }: ConsoleStage, reference: string, index: number) {
  const amount = 12_500 + 250 * index;
  const description = "Paiement par programme";
  return { type: "transfer", amount, msisdn: people.rich, reference, description };
}

function sendBatch(stage: ConsoleStage, name: string, rows: number) {
  const transactions = Array.from({ length: rows }, (_, index) =>
    transferOf(stage, `${name}-${index + 1}`, index),
  );
  return api(stage, "/v1/transactions/batch", { transactions });
}

async function refuse(
  stage: ConsoleStage,
  seat: Seat,
  { id }: Readonly<Record<string, unknown>>,
): Promise<void> {
  const batch = String(id);
  const fields = hiddenIn(await readPage(stage, seat, `${held}?batch=${batch}`), "hash");
  const comment = "Aucune facture ne correspond à ces bénéficiaires.";
  const body = new URLSearchParams({ ...fields, batch, comment, code: await seat.code() });
  if ((await sendForm(stage, seat, `${held}/refuse`, body)) !== "/console/approvals")
    throw new Error("what was held was not refused");
}
