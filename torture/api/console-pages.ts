import type { Permission } from "../../src/staff/roles.ts";

/** What a page or a form of the console names, beside what people type. */
export type ConsoleKind =
  | "companies"
  | "transfers"
  | "batches"
  | "sub-companies"
  | "charges"
  | "paid-charges"
  | "held"
  | "proposals"
  | "payrolls"
  | "drafts"
  | "people"
  | "keys"
  | "webhooks"
  | "replays"
  | "invitations"
  | "requests"
  | "passkeys"
  | "sessions";

/** A page, or what a form is sent to. The pages for people are in no document: they stand here. */
export interface ConsolePage {
  readonly method: "GET" | "POST";
  /** With the kind of the thing where its id goes: {drafts}. */
  readonly path: string;
  /** One of these is needed; none: whoever is signed in. */
  readonly may: readonly Permission[];
  /** Fields of the query or of the form that hold an id. */
  readonly ids: Readonly<Record<string, ConsoleKind>>;
  /** What else it reads, with values that are good. */
  readonly fields: Readonly<Record<string, string>>;
}

interface More {
  readonly ids?: ConsolePage["ids"];
  readonly fields?: ConsolePage["fields"];
}

function get(path: string, may: readonly Permission[], more: More = {}): ConsolePage {
  return { method: "GET", path: `/console${path}`, may, ids: {}, fields: {}, ...more };
}

function post(path: string, may: readonly Permission[], more: More = {}): ConsolePage {
  return { ...get(path, may, more), method: "POST" };
}

const days = { from: "2000-01-01", to: "2999-01-01" };
const list = { batch: "batches", subCompany: "sub-companies" } as const;
const ofStatement = { ids: { subCompany: "sub-companies" }, fields: days } as const;
const typed = {
  phone: "+2250700000000",
  amount: "5000",
  reference: "typed",
  description: "",
  price: "1",
};
const hash = "0".repeat(64);
const propose = ["transfers.propose"] as const;
const lookAtPayments = ["approvals.decide", "transfers.propose"] as const;
const decide = ["approvals.decide"] as const;
const keys = ["keys.manage"] as const;
const webhooks = ["webhooks.manage"] as const;
const hook = "/developers/webhooks/{webhooks}";
const team = ["team.manage"] as const;
const operate = ["operations"] as const;
const passkey = "/team/account/passkeys/{passkeys}";
const signed = { credentialId: "AAAA", clientData: "e30", signature: "AAAA" };
const assertion = { ...signed, authenticatorData: "AAAA", userHandle: "AAAA" };
const why = { reason: "because" };

/** Every address of the console for somebody who is signed in. */
export const consolePages: readonly ConsolePage[] = [
  get("", []),
  ...["balance", "volume", "success"].map((name) =>
    get(`/charts/${name}.csv`, ["balance.read"], { fields: { days: "7" } }),
  ),
  get("/transfers", ["transfers.read"], { ids: list }),
  get("/transfers.csv", ["transfers.read"], { ids: list }),
  get("/transfers/{transfers}", ["transfers.read"]),
  get("/transfers/new", propose, { ids: { redo: "transfers" } }),
  post("/transfers/new", propose, { ids: { subCompany: "sub-companies" }, fields: typed }),
  post("/transfers/new/recipient", propose, { fields: typed }),
  post("/transfers/new/review", propose, { ids: { subCompany: "sub-companies" }, fields: typed }),
  get("/collections", ["charges.read"], { ids: { subCompany: "sub-companies" } }),
  get("/collections.csv", ["charges.read"], { ids: { subCompany: "sub-companies" } }),
  get("/collections/{charges}", ["charges.read"]),
  get("/collections/{charges}/print", ["charges.read"], { fields: { size: "a6" } }),
  get("/collections/new", ["charges.propose"], { ids: { redo: "charges" } }),
  post("/collections/new", ["charges.propose"], {
    ids: { subCompany: "sub-companies" },
    fields: { ...typed, description: "typed" },
  }),
  get("/collections/{paid-charges}/refund", ["refunds.propose"], { fields: { amount: "100" } }),
  post("/collections/{paid-charges}/refund/review", ["refunds.propose"], {
    fields: { amount: "100" },
  }),
  post("/collections/{paid-charges}/refund", ["refunds.propose"], {
    fields: { amount: "100", refunded: "0" },
  }),
  get("/statements", ["statements.read"], ofStatement),
  ...["csv", "xlsx", "pdf"].map((format) =>
    get(`/statements/export.${format}`, ["statements.read"], ofStatement),
  ),
  get("/payroll", propose),
  post("/payroll/upload", propose),
  get("/payroll/template.csv", propose),
  get("/payroll/template.xlsx", propose),
  get("/payroll/drafts/{drafts}", propose),
  get("/payroll/drafts/{drafts}/bad-rows.csv", propose),
  ...["mend", "corrections", "options", "discard", "submit"].map((name) =>
    post(`/payroll/drafts/{drafts}/${name}`, propose, {
      ...(name === "options" ? { ids: { subCompany: "sub-companies" } as const } : {}),
      fields: { version: "1", price: "1", leaveOut: "yes", "phone-2": typed.phone },
    }),
  ),
  get("/payroll/{payrolls}", lookAtPayments),
  get("/payroll/{payrolls}/outcome.csv", lookAtPayments),
  ...["withdraw", "resume", "retry"].map((name) => post(`/payroll/{payrolls}/${name}`, propose)),
  get("/approvals", lookAtPayments),
  get("/approvals/held", lookAtPayments, {
    ids: { transaction: "held", batch: "batches" },
    fields: { from: "0" },
  }),
  get("/approvals/held/content.txt", lookAtPayments, { ids: { transaction: "held" } }),
  post("/approvals/held/approve", decide, {
    ids: { transaction: "held" },
    fields: { hash, code: "123456" },
  }),
  post("/approvals/held/refuse", decide, {
    ids: { transaction: "held" },
    fields: { hash, code: "123456", comment: "x" },
  }),
  ...["approve", "refuse"].map((name) =>
    post(`/approvals/held/${name}/challenge`, decide, {
      ids: { transaction: "held" },
      fields: { hash },
    }),
  ),
  get("/approvals/{proposals}", lookAtPayments, { fields: { from: "0" } }),
  get("/approvals/{proposals}/content.txt", lookAtPayments),
  post("/approvals/{proposals}/approve", decide, { fields: { hash, code: "123456" } }),
  post("/approvals/{proposals}/approve/challenge", decide, { fields: { hash } }),
  post("/approvals/{proposals}/refuse", decide, { fields: { hash, ...assertion, comment: "x" } }),
  post("/approvals/{proposals}/refuse/challenge", decide, { fields: { hash } }),
  post("/approvals/{proposals}/withdraw", propose),
  post("/approvals/{proposals}/resume", propose),
  get("/sub-companies", ["sub_companies.manage"]),
  get("/sub-companies/{sub-companies}", ["sub_companies.manage"]),
  get("/sub-companies/{sub-companies}/logo", ["sub_companies.manage"]),
  post("/sub-companies/{sub-companies}/active", ["sub_companies.manage"], {
    fields: { active: "yes" },
  }),
  get("/developers", keys),
  post("/developers/keys", keys, { fields: { name: "Boutique" } }),
  get("/developers/keys/{keys}", keys),
  post("/developers/keys/{keys}/rotate", keys, {
    fields: { overlap: "moment", until: "2026-11-30T10:00" },
  }),
  post("/developers/keys/{keys}/revoke", keys),
  get("/developers/webhooks", webhooks),
  post("/developers/webhooks", webhooks, {
    fields: { topic: "charge/events", url: "http://127.0.0.1:9/" },
  }),
  get(hook, webhooks),
  get(`${hook}/delete`, webhooks),
  ...["test", "disable", "enable", "delete", "replay"].map((name) =>
    post(`${hook}/${name}`, webhooks, {
      fields: { since: days.from, until: days.to, which: "all" },
    }),
  ),
  get(`${hook}/replays/{replays}`, webhooks),
  get("/developers/deliveries", webhooks, {
    ids: { webhook: "webhooks" },
    fields: { ...days, status: "delivered" },
  }),
  get(`${hook}/deliveries/1`, webhooks),
  post(`${hook}/deliveries/1/resend`, webhooks),
  get("/developers/signature", webhooks),
  post("/developers/signature", webhooks, {
    ids: { key: "keys" },
    fields: { body: "{}", headers: "webhook-id: x" },
  }),
  get("/developers/requests", ["requests.read"], {
    ids: { key: "keys" },
    fields: { status: "2", method: "GET", path: "/v1", correlation: "x" },
  }),
  get("/team", []),
  post("/team/invite", team, { fields: { email: "x@shop.example", role: "reader" } }),
  post("/team/withdraw", team, { ids: { link: "invitations" } }),
  get("/team/people/{people}", team),
  post("/team/people/{people}/role", team, { fields: { role: "reader" } }),
  post("/team/people/{people}/remove", team),
  get("/team/changes", team),
  post("/team/changes", team, { fields: { seen: "0" } }),
  get("/team/rules", team),
  post("/team/rules", team, { fields: { rule: "alone_max", amount: "5000" } }),
  get("/team/requests/{requests}", team),
  ...["confirm", "refuse", "withdraw"].map((name) =>
    post(`/team/requests/{requests}/${name}`, team),
  ),
  get("/team/account", []),
  post("/team/account/end", [], { ids: { session: "sessions" } }),
  post("/team/account/end-others", []),
  post("/team/account/password", [], { fields: { current: "x", password: "x", repeat: "x" } }),
  post("/team/account/passkeys", [], {
    fields: { name: "Téléphone", code: "123456", ...assertion },
  }),
  post("/team/account/passkeys/challenge", []),
  post("/team/account/passkeys/create", [], { fields: { ...signed, attestation: "oA" } }),
  get(passkey, []),
  post(`${passkey}/challenge`, []),
  post(`${passkey}/remove`, [], { fields: { code: "123456", ...assertion } }),
  get("/trail", ["trail.read"], { fields: days }),
  get("/trail/export", ["trail.read"], { fields: days }),
  get("/operations", operate),
  get("/operations/companies", operate, { fields: { q: "a" } }),
  get("/operations/companies/{companies}", operate),
  get("/operations/companies/{companies}/freeze", operate),
  post("/operations/companies/{companies}/freeze", operate, { fields: { ...why, to: "frozen" } }),
  get("/operations/requests", operate),
  get("/operations/requests/{requests}", operate),
  ...["confirm", "refuse"].map((name) =>
    post(`/operations/requests/{requests}/${name}`, operate, { fields: why }),
  ),
  get("/operations/stuck", operate),
  get("/operations/stuck/wake", operate, {
    ids: { company: "companies" },
    fields: { queue: "transfers" },
  }),
  post("/operations/stuck/wake", operate, {
    ids: { company: "companies" },
    fields: { ...why, queue: "transfers" },
  }),
  get("/operations/endpoints", operate),
  get("/operations/endpoints/{webhooks}", operate),
  post("/operations/endpoints/{webhooks}/enable", operate, { fields: why }),
  post("/operations/endpoints/{webhooks}/replay", operate, { fields: { ...why, hours: "24" } }),
  get("/operations/banner", operate),
  post("/operations/banner", operate, {
    fields: { severity: "warning", fr: "Panne en cours", en: "Outage", minutes: "60" },
  }),
  post("/operations/banner/end", operate),
  get("/companies", []),
  post("/companies", [], { ids: { company: "companies" } }),
  get("/second-factor", []),
  post("/second-factor", [], { fields: { current: "123456", code: "123456" } }),
  post("/step-up/challenge", []),
  post("/language", [], { fields: { lang: "fr", back: "/console" } }),
  post("/logout", []),
];

/** What is there for whoever is not signed in. */
export const doors: readonly ConsolePage[] = [
  get("/login", []),
  post("/login", [], { fields: { email: "x@shop.example", password: "x", next: "/console" } }),
  get("/login/code", []),
  post("/login/code", [], { fields: { code: "123456", ...assertion } }),
  post("/login/code/challenge", []),
  post("/login/passkey", [], { fields: { ...assertion, next: "/console" } }),
  post("/login/passkey/challenge", []),
  get("/join/unknown", []),
  post("/join/unknown", [], { fields: { as: "new", current: "x", password: "x", repeat: "x" } }),
];
