import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { addCustomer } from "../src/customers/keep-book.ts";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";

/** A running service with a company that has money. */
export interface Ground {
  readonly url: string;
  readonly accessToken: string;
  readonly database: Database;
}

/** The same with a shop of that company's, and three people in the book. */
export interface Stage extends Ground {
  /** On whose behalf the charges are made. */
  readonly subCompanyId: string;
  readonly people: { readonly rich: string; readonly poor: string; readonly other: string };
}

const people = { rich: "221771234567", poor: "2290197112233", other: "2250102030405" };

/** Sets the stage for the states of the pages: a shop with this logo, and wallets with a history. */
export async function setStage(ground: Ground, logoUrl: string): Promise<Stage> {
  for (const [name, msisdn] of Object.entries(people)) {
    await addCustomer(ground.database, {
      msisdn,
      firstName: name === "rich" ? "Awa" : "Koffi",
      lastName: name === "rich" ? "Diop" : "Mensah",
      kycStatus: "complete",
      balanceMax: null,
    });
  }
  const shop = await api(ground, "/v1/sub-companies", { name: "Boutique Awa", logoUrl });
  const subCompanyId = String(shop["id"]);
  const send = (msisdn: string, amount: number, description: string, sub?: string) =>
    api(ground, "/v1/transactions", {
      type: "transfer",
      amount,
      msisdn,
      reference: description,
      description,
      ...(sub === undefined ? {} : { subCompanyId: sub }),
    });
  await send(people.rich, 150_000, "Salaire de novembre");
  await send(people.rich, 45_500, "Vente de tissus", subCompanyId);
  await send(people.other, 60_000, "Remboursement de frais");
  await untilSet(ground.database);
  return { ...ground, subCompanyId, people };
}

/** A call of the API that must succeed. */
export async function api(
  stage: Pick<Ground, "url" | "accessToken">,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(stage.url + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${stage.accessToken}`,
      "content-type": "application/json",
    },
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`POST ${path}: ${String(answer["message"])}`);
  return answer;
}

/** A shop's web server, with one picture on it. */
export async function servePicture(
  picture: Buffer,
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((_request, response) => response.end(picture));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/logo`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Waits until everything that was sent has arrived, and the shop's logo was fetched. */
async function untilSet(database: Database): Promise<void> {
  for (let tries = 0; tries < 1_500; tries += 1) {
    const left = await database.query(sql`
      select 1 from pending_transfers
      union all
      select 1 from logos where status = 'waiting'`);
    if (left.length === 0) return;
    await sleep(20);
  }
  throw new Error("the stage was never set");
}
