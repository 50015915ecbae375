import { expect, test } from "vitest";
import { nearestWord } from "./nearest-word.ts";

const fields = ["amount", "reason", "subCompanyId", "externalId", "description", "msisdn"];

test.for([
  ["amount", "amount"],
  ["Amount", "amount"],
  ["amonut", "amount"],
  ["amout", "amount"],
  ["ammount", "amount"],
  ["sub_company_id", "subCompanyId"],
  ["SUB-COMPANY-ID", "subCompanyId"],
  ["descripton", "description"],
  ["externalID", "externalId"],
  ["msidn", "msisdn"],
] as const)("%s is nearest to %s", ([written, meant]) => {
  expect(nearestWord(written, fields)).toBe(meant);
});

test.for(["montant", "data", "", "a", "amoral", "x".repeat(10_000), "id", "mount-it"])(
  "%j is near to none",
  (written) => {
    expect(nearestWord(written, fields)).toBeUndefined();
  },
);
