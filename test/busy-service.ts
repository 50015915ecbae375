import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { endAudit } from "./audits.ts";
import { Collector, startTraced, transferOf } from "./collector.ts";
import type { TestCompany, TestDatabase } from "./fixtures.ts";
import { PayPage } from "./pay-page.ts";
import { startReceiver, subscribe } from "./receiver.ts";

/** What /metrics says of a node with all roles on which everything has happened once that is counted. */
export async function scrapeBusyService(db: TestDatabase, company: TestCompany): Promise<string> {
  const collector = await Collector.start();
  const receiver = await startReceiver();
  const service = await startTraced(db, collector);
  const { accessToken: token } = company;
  await subscribe(service, company, receiver.url);
  for (const msisdn of ["2250700000000", "2250700000001", "2250799999999"])
    await service.call("POST", "/v1/transactions", {
      token,
      body: { ...transferOf(randomUUID()), msisdn },
    });
  const page = await PayPage.make(service, company);
  await page.codeFor("2250700000000");
  const paid = { token, body: { recipientMsisdn: "2250700000000" } };
  await service.call("POST", `/v1/charges/${page.chargeId}/pay`, paid);
  await receiver.until(6);
  await endAudit(db.database, 0);
  for (let tries = 0; tries < 100; tries += 1) {
    const { body } = await service.call("GET", "/metrics");
    if (/^cauri_audit_differences \d/m.test(body) && /^cauri_codes_total\{/m.test(body)) {
      await service.stop();
      return String(body);
    }
    await sleep(200);
  }
  throw new Error("the metrics do not tell of everything");
}
