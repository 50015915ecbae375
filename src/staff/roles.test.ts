import { expect, test } from "vitest";
import { companyRoles, needsSecondFactor, roleMay } from "./roles.ts";

test("whoever may make keys, choose receivers, let people in or decide has a second factor", () => {
  const risky = ["keys.manage", "webhooks.manage", "team.manage", "approvals.decide"] as const;
  for (const role of companyRoles)
    expect(needsSecondFactor(role), role).toBe(risky.some((one) => roleMay(role, one)));
  expect(companyRoles.filter(needsSecondFactor)).toEqual(["owner", "approver", "developer"]);
  expect(needsSecondFactor("operator")).toBe(true);
});
