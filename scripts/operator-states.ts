import { companyIdPrefix } from "../src/companies/company.ts";
import { sql } from "../src/database/sql.ts";
import { toPublicId } from "../src/kernel/ids.ts";
import { insertAudit } from "../src/ledger/audit-store.ts";
import { type ConsoleStage, sendForm, takeOperatorSeat } from "./console-seats.ts";
import { opener, type PageState } from "./page-states.ts";
import { api } from "./stage.ts";

/** Every screen that operators have, on a day with troubles. */
export async function makeOperatorStates(stage: ConsoleStage): Promise<PageState[]> {
  const { database, companyId } = stage;
  const seat = await takeOperatorSeat(stage, "ops@operator.example");
  const id = toPublicId(companyIdPrefix, companyId);
  const company = `/console/operations/companies/${id}`;
  const url = "https://boutique.example/webhooks/cauri";
  const { id: webhook } = await api(stage, "/v1/webhooks", { topic: "charge/events", url });
  await database.query(sql`
    update endpoints set failures = 12, failing_since = now() - interval '7 hours' where company_id = ${companyId}`);
  await database.query(sql`
    insert into work (company_id, queue, ready_at, leased_until, lease_id)
    values (${companyId}, 'logos', now() - interval '20 minutes', now() + interval '1 hour', gen_random_uuid())
    on conflict do nothing`);
  const begunAt = new Date(Date.now() - 42_000);
  await insertAudit(database, { begunAt, isFull: true, differencesOf: {}, operator: "cauri" });
  const at = (path: string) => opener(stage, path, seat.cookies);
  const wake = `/console/operations/stuck/wake?company=${id}&queue=transfers`;
  return [
    { name: "operator-health", open: at("/console/operations") },
    { name: "operator-companies", open: at("/console/operations/companies") },
    { name: "operator-companies-none", open: at("/console/operations/companies?q=zzz") },
    { name: "operator-company", open: at(company) },
    { name: "operator-freeze", open: at(`${company}/freeze`) },
    { name: "operator-work", open: at("/console/operations/stuck") },
    { name: "operator-wake", open: at(wake) },
    { name: "operator-endpoints", open: at("/console/operations/endpoints") },
    { name: "operator-endpoint", open: at(`/console/operations/endpoints/${String(webhook)}`) },
    {
      name: "operator-banner",
      async open(page, lang) {
        await showBanner();
        await at("/console/operations/banner")(page, lang);
      },
    },
    {
      // The last one: it leaves nothing on the pages of others.
      name: "operator-banner-ended",
      async open(page, lang) {
        await sendForm(stage, seat, "/console/operations/banner/end", new URLSearchParams());
        await at("/console/operations/banner")(page, lang);
      },
    },
  ];

  function showBanner(): Promise<string> {
    const fields = {
      severity: "outage",
      fr: "Les virements sont exécutés avec retard depuis 14:10. L’argent est sûr. Ne les renvoyez pas. Prochaine nouvelle à 15:00.",
      en: "Transfers have been executed late since 14:10. Money is safe. Do not send them again. More at 15:00.",
      minutes: "60",
    };
    return sendForm(stage, seat, "/console/operations/banner", new URLSearchParams(fields));
  }
}
