/** What a person is for a company; operator: for the installation, without a company. */
export const companyRoles = ["owner", "preparer", "approver", "reader", "developer"] as const;
export type CompanyRole = (typeof companyRoles)[number];
export type Role = CompanyRole | "operator";

/** Who may do what in the console. The only place where it is said. */
const rolesOf = {
  "balance.read": ["owner", "preparer", "approver", "reader"],
  "transfers.read": ["owner", "preparer", "approver", "reader", "developer"],
  "transfers.propose": ["owner", "preparer"],
  "approvals.decide": ["owner", "approver"],
  "charges.read": ["owner", "preparer", "approver", "reader", "developer"],
  "charges.propose": ["owner", "preparer"],
  "refunds.propose": ["owner", "preparer"],
  "statements.read": ["owner", "preparer", "approver", "reader"],
  "keys.manage": ["owner", "developer"],
  "webhooks.manage": ["owner", "developer"],
  "requests.read": ["owner", "developer"],
  "team.manage": ["owner"],
  "trail.read": ["owner", "approver"],
  "sub_companies.manage": ["owner"],
  operations: ["operator"],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Permission = keyof typeof rolesOf;

export function roleMay(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = rolesOf[permission];
  return roles.includes(role);
}

/** With these, somebody can make money leave, or let others do it. */
const sensitive: readonly Permission[] = [
  "approvals.decide",
  "keys.manage",
  "webhooks.manage",
  "team.manage",
  "operations",
];

/** A role with any sensitive permission needs a second factor before anything else. */
export function needsSecondFactor(role: Role): boolean {
  return sensitive.some((permission) => roleMay(role, permission));
}

/** Whether one role may something that the other may not. */
export function mayMore(role: CompanyRole, than: CompanyRole): boolean {
  return Object.values<readonly Role[]>(rolesOf).some(
    (roles) => roles.includes(role) && !roles.includes(than),
  );
}

/**
 * Whether it takes two powers to give somebody this role, which was another one or none before. One owner alone gives the role
 * that only looks, and takes away.
 */
export function needsTwoPowers(role: CompanyRole, before: CompanyRole | undefined): boolean {
  return role !== "reader" && (before === undefined || mayMore(role, before));
}

export function isCompanyRole(text: string): text is CompanyRole {
  return companyRoles.some((role) => role === text);
}
