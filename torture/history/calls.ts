import { chargeRequest } from "../traffic/charge-request.ts";
import type { Call } from "../traffic/client.ts";
import type { Read, ServiceWrite } from "./operation.ts";

/** How a service is asked for it. */
export function callOf(act: Read | ServiceWrite): Call {
  switch (act.kind) {
    case "transfer":
      return post("/v1/transactions", { type: "transfer", ...act.rows[0] }, act.key);
    case "batch": {
      const transactions = act.rows.map((row) => ({ type: "transfer", ...row }));
      return post("/v1/transactions/batch", { transactions }, act.key);
    }
    case "charge":
      return post("/v1/charges", chargeRequest(act.externalId, act.amount), act.key);
    case "pay":
      return post(`/v1/charges/${act.chargeId}/pay`, { recipientMsisdn: act.msisdn }, act.key);
    case "refund":
      return post(`/v1/charges/${act.chargeId}/refund`, { amount: act.amount }, act.key);
    case "read balance":
      return get("/v1/balance");
    case "read statement":
      return get("/v1/statement?limit=100");
    case "list transfers":
      return get("/v1/transactions?limit=50");
    case "read transfer":
      return get(`/v1/transactions/${act.id}`);
    case "find transfer":
      return get(`/v1/transactions?reference=${encodeURIComponent(act.reference)}`);
    case "read charge":
      return get(`/v1/charges/${act.id}`);
    case "pull events":
      break;
  }
  return get(`/v1/events?after=${act.after}&limit=100`);
}

function get(path: string): Call {
  return { method: "GET", path };
}

function post(path: string, body: object, key: string | undefined): Call {
  return { method: "POST", path, body, ...(key === undefined ? {} : { key }) };
}
