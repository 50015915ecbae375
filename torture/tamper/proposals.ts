import { approve, refuse } from "../../src/approvals/decide.ts";
import { approveHeld, refuseHeld } from "../../src/approvals/decide-held.ts";
import type { Desk } from "../../src/approvals/desk.ts";
import { findHeld } from "../../src/approvals/find-held.ts";
import type { Proposal } from "../../src/approvals/proposal.ts";
import { type Asked, propose } from "../../src/approvals/propose.ts";
import { setKeysAloneMax } from "../../src/approvals/rules.ts";
import { withdraw } from "../../src/approvals/withdraw.ts";
import { Metrics } from "../../src/kernel/metrics.ts";
import { handInDraft } from "../../src/payrolls/hand-in.ts";
import { getDraft, keepRows } from "../../src/payrolls/keep-drafts.ts";
import { type ConsolePerson, operator } from "../../src/trail/actor.ts";
import { demand } from "../api/client.ts";
import type { Town, TownCompany } from "./town.ts";

const by = operator("torture tamper");
const payingMsisdn = "2250700000000";
/** That the person is who it says was seen to elsewhere. */
const trusted = async () => {};

interface Cast {
  readonly owner: ConsolePerson;
  readonly preparer: ConsolePerson;
  readonly approver: ConsolePerson;
}

/** What people pay out: approved, refused, withdrawn, alone, waiting; of each kind; and what keys sent that was held. */
export async function makePayments(town: Town, company: TownCompany, cast: Cast): Promise<void> {
  const desk = deskOf(town);
  const { id: companyId } = company;
  const { owner, preparer, approver } = cast;
  const ask = (maker: ConsolePerson, title: string, asked: Asked) =>
    propose(desk, { companyId, by: maker, title, asked });
  const decision = ({ id, hash }: Proposal) => ({
    companyId,
    proposalId: id,
    reviewedHash: hash,
    by: approver,
    checkPerson: trusted,
  });
  await ask(owner, "alone", transferOf("alone", 5_000));
  await approve(desk, decision(await ask(preparer, "rent", transferOf("rent", 50_000))));
  const refused = decision(await ask(preparer, "gift", transferOf("gift", 50_000)));
  await refuse(desk, { ...refused, comment: "not ours" });
  const withdrawn = await ask(preparer, "mistake", transferOf("mistake", 50_000));
  await withdraw(desk, { companyId, proposalId: withdrawn.id, by: preparer });
  await approve(desk, decision(await ask(preparer, "june", payrollOf("june", 12))));
  await ask(preparer, "july", payrollOf("july", 12));
  await makeDrafts(town, desk, companyId, preparer);
  await giveBack(town, company, desk, cast, decision);
  await hold(town, company, desk, approver);
}

function deskOf({ database, config }: Pick<Town, "database" | "config">): Desk {
  return {
    database,
    payments: {
      database,
      policy: config,
      refundPartsMax: config.quotas.refundsPerChargeMax,
      outcomes: new Metrics().counter("charges", "Charges."),
      onEvent: () => {},
    },
    limit: { unknownPerDay: 10_000, known: [payingMsisdn] },
    onApproved: () => {},
    onAccepted: () => {},
  };
}

/** One that is handed in, one that somebody still works on. */
async function makeDrafts(
  { database, config }: Town,
  desk: Desk,
  companyId: string,
  maker: ConsolePerson,
): Promise<void> {
  for (const name of ["handed in", "open"]) {
    const about = { name, fileHash: Buffer.alloc(32, name), retryOf: null, subCompanyId: null };
    const rows = [
      ["telephone", "montant", "reference", "motif"],
      [`+${payingMsisdn}`, "20000", `${name} 1`, "paie"],
      [`+${payingMsisdn}`, "20000", `${name} 2`, "paie"],
    ].map((cells, index) => ({ line: index + 1, cells }));
    const draftId = await keepRows(database, companyId, maker, about, rows);
    if (name === "open") continue;
    const { version } = await getDraft(database, companyId, draftId);
    const checking = { database, policy: config };
    const request = { companyId, draftId, by: maker, version, priceNumber: 2 };
    await handInDraft(desk, checking, { ...request, formId: crypto.randomUUID() });
  }
}

async function giveBack(
  { url }: Town,
  { id: companyId, token }: TownCompany,
  desk: Desk,
  { owner }: Cast,
  decision: (proposal: Proposal) => Parameters<typeof approve>[1],
): Promise<void> {
  const { body } = await demand(url, "GET", "/v1/charges?status=paid&limit=1", { token });
  const asked = { kind: "refund", chargeId: String(body.data[0].id), amount: 1_000 } as const;
  const request = { companyId, by: owner, title: "back", asked };
  await approve(desk, decision(await propose(desk, request)));
}

async function hold(
  { database, url }: Town,
  { id: companyId, token }: TownCompany,
  desk: Desk,
  decider: ConsolePerson,
): Promise<void> {
  await setKeysAloneMax(database, companyId, 8_000, by);
  for (const [name, verdict] of [
    ["let go", "approve"],
    ["stopped", "refuse"],
    ["waits", "wait"],
  ] as const) {
    const transfer = { type: "transfer", amount: 9_000, msisdn: payingMsisdn, reference: name };
    await demand(url, "POST", "/v1/transactions", { token, body: transfer });
    const set = await findHeld(database, companyId, { kind: "oldest" });
    if (set === undefined) throw new Error("nothing is held");
    const scope = { kind: "oldest", upto: set.lastId } as const;
    const request = { companyId, by: decider, scope, reviewedHash: set.hash, checkPerson: trusted };
    if (verdict === "approve") await approveHeld(desk, request);
    if (verdict === "refuse") await refuseHeld(desk, { ...request, comment: "not this one" });
  }
  const small = { type: "transfer", amount: 5_000, msisdn: payingMsisdn, reference: "small" };
  await demand(url, "POST", "/v1/transactions", { token, body: small });
}

function transferOf(reference: string, amount: number): Asked {
  const to = { msisdn: payingMsisdn, reference, description: "loyer", subCompanyId: null };
  return { kind: "transfer", amount, ...to };
}

function payrollOf(name: string, rows: number): Asked {
  return {
    kind: "payroll",
    subCompanyId: null,
    fileHash: Buffer.alloc(32, name),
    rows: Array.from({ length: rows }, (_, index) => ({
      line: index + 2,
      msisdn: payingMsisdn,
      amount: 5_000,
      reference: `${name}-${index}`,
      description: null,
    })),
  };
}
