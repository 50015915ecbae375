import { randomBytes, randomUUID } from "node:crypto";
import { acceptLink } from "../../src/access/accept-link.ts";
import {
  confirmRequest,
  refuseRequest,
  withdrawRequest,
} from "../../src/access/decide-requests.ts";
import { invite } from "../../src/access/links.ts";
import { changeRole, removeByOperator } from "../../src/access/members.ts";
import { askForRule } from "../../src/access/rules.ts";
import { setAloneMax } from "../../src/approvals/rules.ts";
import { setBanner } from "../../src/operations/set-banner.ts";
import type { Browser } from "../../src/staff/login.ts";
import { insertPasskey } from "../../src/staff/passkeys-store.ts";
import { lockPerson } from "../../src/staff/people.ts";
import { recordCredentials } from "../../src/staff/record-credentials.ts";
import type { CompanyRole } from "../../src/staff/roles.ts";
import { pendingSecret, setSecondFactor } from "../../src/staff/second-factor.ts";
import { stepAt, totpCodeAt } from "../../src/staff/totp.ts";
import { type ConsolePerson, operator } from "../../src/trail/actor.ts";
import { stretchCheaply } from "../accounts/cheap-password.ts";
import { makePayments } from "./proposals.ts";
import type { Town, TownCompany } from "./town.ts";

const by = operator("torture tamper");
const browser: Browser = {
  address: "192.0.2.7",
  device: "Firefox",
  secret: "b".repeat(43),
  via: "POST /console",
};

/** People of the console in every role, requests and rules in every state, and what these people ask for and decide. */
export async function makePeople(town: Town, company: TownCompany): Promise<void> {
  const { database } = town;
  const { id: companyId } = company;
  const join = (name: string, role: CompanyRole) => letIn(town, name, companyId, role);
  const owner = await join("owner", "owner");
  const second = await join("second", "owner");
  const preparer = await join("preparer", "preparer");
  const approver = await join("approver", "approver");
  const reader = await join("reader", "reader");
  await join("developer", "developer");
  await join("removed", "reader");
  await removeByOperator(database, emailOf("removed"), companyId, by);
  await letIn(town, "operator", null, "operator");
  await letIn(town, "former", null, "operator");
  await removeByOperator(database, emailOf("former"), undefined, by);
  await invite(database, new Date(), { email: emailOf("guest"), companyId, role: "reader" }, owner);
  await changeRoles(town, companyId, owner, second, reader);
  const operating = await letIn(town, "banner", null, "operator");
  const text = { severity: "info", fr: "Bonjour", en: "Hello" } as const;
  await setBanner(database, { ...text, minutes: 60 }, operating);
  await setAloneMax(database, companyId, 5_500, by);
  await givePasskey(town, second);
  await makePayments(town, company, { owner, preparer, approver });
}

async function changeRoles(
  { database }: Town,
  companyId: string,
  owner: ConsolePerson,
  second: ConsolePerson,
  reader: ConsolePerson,
): Promise<void> {
  const { personId } = reader;
  const ask = async (role: CompanyRole) => {
    const change = { companyId, personId, role };
    const asked = await changeRole(database, new Date(), change, owner);
    return typeof asked === "object" ? asked.requestId : "";
  };
  await confirmRequest(database, { requestId: await ask("preparer"), companyId }, second);
  await refuseRequest(database, { requestId: await ask("owner"), companyId, reason: "no" }, second);
  await withdrawRequest(database, { requestId: await ask("owner"), companyId }, owner);
  const wanted = { rule: "alone_max", amount: 5_000 } as const;
  const asked = await askForRule(database, new Date(), companyId, wanted, owner);
  if (typeof asked === "object")
    await confirmRequest(database, { requestId: asked.requestId, companyId: undefined }, by);
  await ask("approver");
}

/** By a link of the operator's, so that the role is in force at once; with a password and a second factor. */
async function letIn(
  { database, box }: Pick<Town, "database" | "box">,
  name: string,
  companyId: string | null,
  role: CompanyRole | "operator",
): Promise<ConsolePerson> {
  const now = new Date();
  const request = { email: emailOf(name), companyId, role } as Parameters<typeof invite>[2];
  const { token } = await invite(database, now, request, by);
  const visitor = { kind: "new", password: stretchCheaply(name) } as const;
  const joined = await acceptLink(database, now, token, visitor, browser);
  if (joined === undefined) throw new Error(`${name} was not let in`);
  const actor = { personId: joined.person.id, address: browser.address, via: browser.via };
  await database.transaction(async (tx) => {
    const person = await lockPerson(tx, actor.personId);
    if (person === undefined) throw new Error("nobody");
    const secret = pendingSecret(box, joined.token, person);
    const code = totpCodeAt(secret, stepAt(now));
    await setSecondFactor(tx, box, now, person, secret, code, actor);
  });
  return actor;
}

/** As if its person had a device: nobody signs with it here. */
function givePasskey({ database }: Town, person: ConsolePerson): Promise<void> {
  return database.transaction(async (tx) => {
    await insertPasskey(tx, {
      credentialId: randomBytes(16),
      id: randomUUID(),
      personId: person.personId,
      name: "Phone",
      publicKey: randomBytes(77),
      counter: 0,
    });
    await recordCredentials(tx, person.personId, person);
  });
}

function emailOf(name: string): string {
  return `${name}@alpha.example`;
}
