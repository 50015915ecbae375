import { expect } from "vitest";
import { apiErrors } from "../../src/reference/api-errors.ts";
import { ChargeClient } from "../charges.ts";
import { type Answer, makeCompany, type TestCompany, type TestService, test } from "../fixtures.ts";
import type { Mistake, Scene } from "./mistake.ts";
import { reachingMistakes } from "./reaching-mistakes.ts";
import { stateMistakes } from "./state-mistakes.ts";
import { valueMistakes } from "./value-mistakes.ts";

const mistakes = [...reachingMistakes, ...valueMistakes, ...stateMistakes];
const codes = new Set(apiErrors.map(({ error }) => error.code));

async function setScene(service: TestService, company: TestCompany): Promise<Scene> {
  const token = company.accessToken;
  const charges = new ChargeClient(service, company);
  const refunded = await charges.paid({ externalId: "refunded" });
  expect((await charges.refund(refunded)).status).toBe(200);
  const paid = await charges.paid({ externalId: "paid" });
  const due = await charges.made({ externalId: "due" });
  const used = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: "used" };
  const headers = { "idempotency-key": "used" };
  const sent = await service.call("POST", "/v1/transactions", { token, headers, body: used });
  expect(sent.status).toBe(201);
  const sub = { name: "Shop", logoUrl: "https://shop.example/logo.png" };
  const made = await service.call("POST", "/v1/sub-companies", { token, body: sub });
  const inactive: string = made.body.id;
  await service.call("PUT", `/v1/sub-companies/${inactive}`, { token, body: { isActive: false } });
  const cursor: string = (await charges.list("limit=1")).body.cursor.next;
  const { secretKey } = company;
  return { token, secretKey, due, paid, refunded, inactive, cursor };
}

async function send(
  service: TestService,
  scene: Scene,
  { sent }: Mistake,
  language: string,
): Promise<Answer> {
  const request = typeof sent === "function" ? sent(scene) : sent;
  const { method = "GET", path, body, headers, token = scene.token } = request;
  return service.call(method, path, {
    ...(token === null ? {} : { token }),
    ...(body === undefined ? {} : { body }),
    headers: { ...headers, "accept-language": language },
  });
}

test("every typical mistake of an integrator is answered with what is wrong and what to do, in English and in French", async ({
  db,
  service,
}) => {
  const company = await makeCompany(db.database, { fund: 30_000 });
  const scene = await setScene(service, company);
  expect(mistakes.length).toBeGreaterThanOrEqual(61);
  expect(new Set(mistakes.map(({ what }) => what)).size).toBe(mistakes.length);
  for (const mistake of mistakes) {
    for (const language of ["en", "fr"] as const) {
      const { status, body } = await send(service, scene, mistake, language);
      const told = `${mistake.what} (${language}): ${JSON.stringify(body)}`;
      expect.soft([status, body.code], told).toEqual([mistake.status, mistake.code]);
      for (const part of mistake[language])
        if (typeof part === "string") expect.soft(body.message, told).toContain(part);
        else expect.soft(body.message, told).toMatch(part);
      expect(codes, told).toContain(body.code);
      expect(body.docUrl, told).toMatch(new RegExp(`/docs\\?lang=${language}#e-${body.code}$`));
    }
  }
});
