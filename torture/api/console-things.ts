import { randomUUID } from "node:crypto";
import { companyIdPrefix } from "../../src/companies/company.ts";
import { sql } from "../../src/database/sql.ts";
import { toPublicId } from "../../src/kernel/ids.ts";
import { personIdPrefix } from "../../src/staff/person.ts";
import { type CompanyRole, companyRoles } from "../../src/staff/roles.ts";
import type { Ground } from "../ground.ts";
import type { Belongings } from "./belongings.ts";
import type { ConsoleKind } from "./console-pages.ts";
import { signInto, type Visit, type Visitor, visit } from "./console-visitor.ts";
import { holdByKey } from "./hold-by-key.ts";

/** A company's people at the console, and everything there that has an id. */
export interface ConsoleThings {
  readonly people: Readonly<Record<CompanyRole, Visitor>>;
  readonly ids: Readonly<Record<ConsoleKind, string>>;
}

const payingMsisdn = "+2250700000000";

/** One of each kind, made as people make them. `mark` stands in what they write. */
export async function makeConsoleThings(
  stage: Pick<Ground, "url" | "database">,
  owner: { readonly id: string; readonly belongings: Belongings },
  mark: string,
): Promise<ConsoleThings> {
  const people = {} as Record<CompanyRole, Visitor>;
  for (const role of companyRoles)
    people[role] = await signInto(stage.database, owner.id, role, `${mark}-${role}@shop.example`);
  const { owner: boss, preparer } = people;
  const find = async (request: Visit, shape: RegExp): Promise<string> => {
    const { status, location, text } = await visit(stage.url, request);
    const [, found] = shape.exec(`${location}\n${text}`) ?? [];
    if (found === undefined)
      throw new Error(`${request.method} ${request.address}: ${status} without ${String(shape)}`);
    return found;
  };
  const see = (address: string, shape: RegExp) => find({ method: "GET", address, by: boss }, shape);
  const send = (address: string, by: Visitor, more: Partial<Visit>, shape: RegExp) =>
    find({ method: "POST", address, by, ...more }, shape);
  const upload = (name: string) =>
    send(
      "/console/payroll/upload",
      preparer,
      { file: { name: `${mark}.csv`, text: fileOf(`${mark}-${name}`) } },
      /(draft_[0-9a-f]{32})/,
    );

  const paid = { msisdn: payingMsisdn };
  const typed = { phone: payingMsisdn, amount: "5000", reference: `${mark}-asked` };
  const proposal = await send(
    "/console/transfers/new",
    preparer,
    { fields: { ...typed, description: mark, price: "1", form: randomUUID() } },
    /(prop_[0-9a-f]{32})/,
  );
  const draft = await upload("draft");
  const handedIn = await upload("payroll");
  const payroll = await send(
    `/console/payroll/drafts/${handedIn}/submit`,
    preparer,
    { fields: { version: "1", price: "1", form: randomUUID() } },
    /payroll\/(prop_[0-9a-f]{32})/,
  );
  const webhook = owner.belongings["webhooks"]?.[0] ?? "";
  const replay = await send(
    `/console/developers/webhooks/${webhook}/replay`,
    boss,
    { fields: { since: "2026-01-01", until: new Date().toISOString().slice(0, 10), which: "all" } },
    /replays\/([0-9a-f-]{36})/,
  );
  const invited = { email: `${mark}-guest@shop.example`, role: "reader" };
  await send("/console/team/invite", boss, { fields: invited }, /(console\/join)/);
  const rule = { rule: "alone_max", amount: "5000" };
  const request = await send("/console/team/rules", boss, { fields: rule }, /(req_[0-9a-f]{32})/);
  return {
    people,
    ids: {
      companies: toPublicId(companyIdPrefix, owner.id),
      transfers: owner.belongings["transactions"]?.[0] ?? "",
      batches: owner.belongings["batches"]?.[0] ?? "",
      "sub-companies": owner.belongings["sub-companies"]?.[0] ?? "",
      charges: owner.belongings["charges"]?.[0] ?? "",
      "paid-charges": owner.belongings["charges"]?.[1] ?? "",
      held: toPublicId("txn", await holdByKey(stage.database, owner.id, paid, `${mark}-held`)),
      proposals: proposal,
      payrolls: payroll,
      drafts: draft,
      people: toPublicId(personIdPrefix, preparer.personId),
      webhooks: webhook,
      replays: replay,
      keys: await see("/console/developers", /(key_[0-9a-f]{32})/),
      invitations: await see("/console/team", /name="link" value="([0-9a-f-]{36})"/),
      requests: request,
      passkeys: await passkeyOf(boss),
      sessions: await sessionOf(boss),
    },
  };

  /** Of a device that nobody has. */
  async function passkeyOf({ personId }: Visitor): Promise<string> {
    const id = randomUUID();
    await stage.database.query(sql`
      insert into passkeys (credential_id, passkey_id, person_id, name, public_key, counter)
      values (decode(${id.replaceAll("-", "")}, 'hex'), ${id}, ${personId}, ${mark}, decode('00', 'hex'), 0)`);
    return id;
  }

  /** One that can be ended from another of the same person. */
  async function sessionOf(somebody: Visitor): Promise<string> {
    await signInto(stage.database, owner.id, "owner", `${mark}-owner@shop.example`);
    const shape = /name="session" value="([0-9a-f-]{36})"/;
    return find({ method: "GET", address: "/console/team/account", by: somebody }, shape);
  }
}

function fileOf(reference: string): string {
  return ["telephone;montant;reference;motif", `${payingMsisdn};5000;${reference};`, ""].join("\n");
}
