import type { ChargeState, TransferState } from "../final-state.ts";
import type { Operation } from "../operation.ts";
import type { CompanyIndex } from "./company-index.ts";
import { movedOf } from "./company-index.ts";

/** What an answer says of the state it was made from: between which postings, and with what balance. */
export interface Sight {
  readonly operation: Operation;
  readonly text: string;
  /** The state has all postings up to this one. */
  readonly least: number;
  /** And none after this one. */
  readonly most: number;
  readonly fits: (balance: number) => boolean;
}

const any = () => true;
const nothing = { least: 0, most: Infinity, fits: any };

interface TransferBody {
  readonly id: string;
  readonly status: string;
}

interface ChargeBody {
  readonly id: string;
  readonly transactions: readonly { readonly id: string }[];
}

/** What the answers of one company show; and what shows nothing that could be, as findings. */
export function sightsOf(
  index: CompanyIndex,
  operations: readonly Operation[],
): { readonly sights: readonly Sight[]; readonly findings: readonly string[] } {
  const findings: string[] = [];
  const sights = operations.flatMap((operation) => {
    const seen = sightOf(index, operation);
    if (typeof seen === "string") {
      findings.push(`${operation.act.kind} ${operation.id}: ${seen}`);
      return [];
    }
    return seen === undefined ? [] : [{ operation, ...seen }];
  });
  return { sights, findings };
}

type Seen = Omit<Sight, "operation">;

function sightOf(index: CompanyIndex, { act, outcome }: Operation): Seen | string | undefined {
  if (outcome.kind === "refused") return sightOfRefusal(index, act, outcome.code);
  if (outcome.kind !== "ok") return undefined;
  const { body } = outcome;
  switch (act.kind) {
    case "read balance":
      return balanceOf(body.balance);
    case "read statement":
      return balanceOf(body.closingBalance);
    case "read transfer":
      return transfersOf(index, [body]);
    case "find transfer":
      return foundOf(index, act.reference, body.data);
    case "list transfers":
      return listOf(index, body.data);
    case "read charge":
      return chargeOf(index, body, "exactly");
    case "transfer":
    case "batch":
    case "charge":
    case "fund":
    case "withdraw":
    case "freeze":
    case "unfreeze":
    case "pull events":
      break;
    // A repeated request is answered as it was answered first: it shows that something is there, and not what is not.
    case "pay":
    case "refund":
      return chargeOf(index, body, "at least");
  }
  return undefined;
}

function balanceOf(balance: number): Seen {
  return { ...nothing, text: `a balance of ${balance}`, fits: (one) => one === balance };
}

/** There was a moment when it did not fit. */
function sightOfRefusal(
  index: CompanyIndex,
  act: Operation["act"],
  code: string,
): Seen | undefined {
  if (code !== "insufficient_funds") return undefined;
  if (act.kind !== "transfer" && act.kind !== "batch" && act.kind !== "refund") return undefined;
  const asked =
    act.kind === "refund" ? act.amount : act.rows.reduce((sum, { amount }) => sum + amount, 0);
  // The price is not the checker's business: what is taken on top is at most this part of it.
  const most = asked + Math.ceil(asked * index.feeMax);
  return {
    ...nothing,
    text: `less than ${most} for ${act.kind}`,
    fits: (balance) => balance < most,
  };
}

function transfersOf(index: CompanyIndex, rows: readonly TransferBody[]): Seen | string {
  let least = 0;
  let most = Infinity;
  for (const { id, status } of rows) {
    const transfer = index.transfersById.get(id);
    if (transfer === undefined) return `shows ${id}, which is not in the books`;
    least = Math.max(least, index.reservedAt(transfer));
    if (status === "pending") most = Math.min(most, index.endedAt(transfer) - 1);
    else if (status === transfer.status) least = Math.max(least, index.endedAt(transfer));
    else return `shows ${id} as ${status}, and it is ${transfer.status} in the books`;
  }
  const text = rows.map(({ id, status }) => `${id} ${status}`).join(", ");
  return { ...nothing, text: text.slice(0, 200), least, most };
}

function foundOf(
  index: CompanyIndex,
  reference: string,
  rows: readonly TransferBody[],
): Seen | string {
  if (rows.length > 1) return `finds ${reference} ${rows.length} times`;
  if (rows.length === 1) return transfersOf(index, rows);
  const there = index.transfersByReference.get(reference)?.[0];
  const most = there === undefined ? Infinity : index.reservedAt(there) - 1;
  return { ...nothing, text: `no transfer ${reference}`, most };
}

/** Newest first: a piece of the list without a gap, and what is newer than its first row was not there yet. */
function listOf(index: CompanyIndex, rows: readonly TransferBody[]): Seen | string {
  const seen = transfersOf(index, rows);
  if (typeof seen === "string") return seen;
  const [first] = rows;
  const place = (first && index.placeOf(first.id)) ?? -1;
  for (const [behind, { id }] of rows.entries())
    if (index.placeOf(id) !== place - behind) return `lists ${id} out of its place`;
  const newer: TransferState | undefined = index.newestLast[place + 1];
  const most = newer === undefined ? Infinity : index.reservedAt(newer) - 1;
  return { ...seen, most: Math.min(seen.most, most) };
}

function chargeOf(
  index: CompanyIndex,
  body: ChargeBody,
  manner: "exactly" | "at least",
): Seen | string {
  const charge: ChargeState | undefined = index.chargesById.get(body.id);
  if (charge === undefined) return `shows the charge ${body.id}, which is not in the books`;
  const shown = new Set(body.transactions.map(({ id }) => id));
  const known = new Set(charge.transactions.map(({ id }) => id));
  const lost = [...shown].find((id) => !known.has(id));
  if (lost !== undefined) return `shows ${lost} of charge ${body.id}, which is not in the books`;
  let least = 0;
  let most = Infinity;
  for (const one of movedOf(charge)) {
    const at = index.movedAt(one);
    if (shown.has(one.id)) least = Math.max(least, at);
    else if (manner === "exactly") most = Math.min(most, at - 1);
  }
  const text = `charge ${body.id} with ${shown.size} payments and refunds`;
  return { ...nothing, text, least, most };
}
