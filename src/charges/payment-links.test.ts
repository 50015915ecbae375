import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { PaymentLinks } from "./payment-links.ts";

const key = randomBytes(32);
const links = new PaymentLinks(key, "https://pay.example");
const target = { companyId: randomUUID(), chargeId: randomUUID() };

test("a link leads to its company and charge, and is the same whenever it is shown", () => {
  const token = links.tokenOf(target.companyId, target.chargeId);

  expect(links.parse(token)).toEqual(target);
  expect(links.urlOf(target.companyId, target.chargeId)).toBe(`https://pay.example/pay/${token}`);
  expect(new PaymentLinks(key, "https://other.example").parse(token)).toEqual(target);
});

test("no bit of a link can be changed, and no other key makes one", () => {
  const bytes = Buffer.from(links.tokenOf(target.companyId, target.chargeId), "base64url");
  expect(bytes).toHaveLength(48);
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(links.parse(changed.toString("base64url")), `bit ${bit}`).toBeUndefined();
  }
  const foreign = new PaymentLinks(randomBytes(32), "https://pay.example");
  expect(links.parse(foreign.tokenOf(target.companyId, target.chargeId))).toBeUndefined();
  expect(links.parse(links.tokenOf(target.chargeId, target.companyId))).toEqual({
    companyId: target.chargeId,
    chargeId: target.companyId,
  });
});

test("what is not written exactly as we write it is no link", () => {
  const token = links.tokenOf(target.companyId, target.chargeId);
  const wrong = [
    "",
    "x",
    token.slice(1),
    `${token}A`,
    `${token}=`,
    ` ${token}`,
    `${token}\n`,
    `${token.slice(0, 32)}.${token.slice(32)}`,
    token.toLowerCase(),
    Buffer.from(token, "base64url").toString("hex"),
    "A".repeat(64),
    "x".repeat(100_000),
  ];
  for (const text of wrong) expect(links.parse(text), text.slice(0, 80)).toBeUndefined();
});
