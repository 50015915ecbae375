export const trailIdPrefix = "trail";

/** What can happen to a company's things and to the customer book. */
export type CompanyAction =
  | "company.created"
  | "company.changed"
  | "company.funded"
  | "company.withdrawn"
  | "company.adjusted"
  | "company.frozen"
  | "company.unfrozen"
  | "company.work_woken"
  | "key.issued"
  | "key.resealed"
  | "key.replaced"
  | "key.revoked"
  | "sub_company.created"
  | "sub_company.changed"
  | "webhook.created"
  | "webhook.deleted"
  | "webhook.disabled"
  | "webhook.enabled"
  | "webhook.replayed"
  | "charge.created"
  | "charge.refunded"
  | "charges.bound"
  | "payroll.prepared"
  | "proposal.made"
  | "proposal.approved"
  | "proposal.refused"
  | "proposal.withdrawn"
  | "proposal.resumed"
  | "held.approved"
  | "held.refused"
  | "member.invited"
  | "member.invitation_withdrawn"
  | "member.joined"
  | "member.role_changed"
  | "member.removed"
  | "access.requested"
  | "access.confirmed"
  | "access.refused"
  | "access.withdrawn"
  | PersonAction;
/** What can happen to a person of the console. It is told to each company the person works for. */
export type PersonAction =
  | "person.joined"
  | "person.reset"
  | "person.removed"
  | "person.signed_in"
  | "person.sign_in_refused"
  | "person.code_refused"
  | "person.new_device"
  | "person.password_changed"
  | "person.credentials_set"
  | "person.second_factor_set"
  | "person.recovery_code_used"
  | "person.sessions_ended"
  | "person.passkey_added"
  | "person.passkey_removed"
  | "person.passkey_copied"
  /** By an operator, for everybody at the console. */
  | "banner.set"
  | "banner.ended";
export type CustomerAction =
  | "customer.added"
  | "customer.changed"
  | "customer.frozen"
  | "customer.unfrozen";

/** What can happen to the installation as a whole. */
export type InstallationAction =
  | "ledger_key.created"
  | "ledger_key.bound"
  | "trails.covered"
  | "operator.invited"
  | "backup.made";

/** Changes of people, roles, keys and rules: each owner of the company is told, until the owner has acknowledged it. */
export const toldToOwners: ReadonlySet<CompanyAction> = new Set<CompanyAction>([
  "member.invited",
  "member.invitation_withdrawn",
  "member.joined",
  "member.role_changed",
  "member.removed",
  "access.requested",
  "access.confirmed",
  "access.refused",
  "access.withdrawn",
  "key.issued",
  "key.replaced",
  "key.revoked",
  "company.changed",
  "person.reset",
]);

/** Fields by name, as they were or as they are now. */
export type Fields = Readonly<Record<string, string | number | boolean | null>>;
type Value = Fields[string];

/** What became of each field that changed. */
export type Changes = Readonly<Record<string, { readonly from: Value; readonly to: Value }>>;

/** One line of the trail, as it is read. */
export interface TrailEntry {
  readonly id: string;
  readonly at: Date;
  readonly by:
    | { readonly operator: string }
    | { readonly keyId: string; readonly address: string }
    | { readonly personId: string; readonly address: string };
  readonly via: string;
  readonly action: string;
  /** Null for the customer book, the people of the console and the installation itself, which are no company's. */
  readonly companyId: string | null;
  readonly subject: string;
  readonly changes: Changes;
}

const textMax = 300;

/** What differs between the two. A long text is cut: the trail says what was changed, and is no second copy of it. */
export function changesBetween(from: Fields, to: Fields): Changes {
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  const changes: Record<string, { from: Value; to: Value }> = {};
  for (const name of names) {
    const [before, after] = [from[name] ?? null, to[name] ?? null];
    if (before !== after) changes[name] = { from: cut(before), to: cut(after) };
  }
  return changes;
}

function cut(value: Value): Value {
  if (typeof value !== "string" || value.length <= textMax) return value;
  // Not in the middle of a letter: the database could not read the entry.
  return `${value.slice(0, textMax).replace(/[\ud800-\udbff]$/, "")}…`;
}
