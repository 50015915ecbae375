import { callService } from "../call-service.ts";
import type { Outcome } from "../context.ts";
import { type ClientOptions, readClient } from "../read-client.ts";
import { toFrancs, toPairs } from "../table.ts";

/** What can be spent now, and whose it is: who has several logins must not take one balance for another. */
export async function balanceCommand(options: ClientOptions): Promise<Outcome> {
  const client = await readClient(process.env, options);
  return callService(client, {}, async (cauri) => {
    const [{ balance, currency }, { id, name, service }] = await Promise.all([
      cauri.balance(),
      cauri.company(),
    ]);
    const environment = service?.environment ?? "unknown";
    return {
      value: { balance, currency, companyId: id, company: name, environment },
      text: toPairs([
        ["company", `${name} (${environment})`],
        ["balance", toFrancs(balance)],
      ]),
    };
  });
}
