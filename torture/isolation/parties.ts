import { parsePublicId } from "../../src/kernel/ids.ts";
import { toServiceReference } from "../../src/kernel/service-reference.ts";
import { type Belongings, makeBelongings, type Sink, untilSettled } from "../api/belongings.ts";
import { failingMsisdn } from "../api/blueprint.ts";
import { ask, demand } from "../api/client.ts";
import type { Operation } from "../api/document.ts";
import type { Ground } from "../ground.ts";

/** What the attack needs of a ground: a service, wherever it runs. */
export type Stage = Pick<Ground, "url" | "database" | "makeCompany" | "auditFindings">;

/** Somebody with a token, and with things of its own. */
export interface Party {
  readonly name: string;
  readonly id: string;
  readonly token: string;
  readonly belongings: Belongings;
}

/** The one whose things are reached for. */
export interface Owner extends Party {
  /** What may be in no answer to anybody else: its ids, and the mark that stands in every text it wrote. */
  readonly secrets: readonly string[];
  /** What it can be asked for by, other than ids: by the name of the query parameter. */
  readonly words: Readonly<Record<string, readonly string[]>>;
}

const fund = 1_000_000;

export async function makeOwner(stage: Stage, mark: string, sink: Sink): Promise<Owner> {
  const { id, accessToken: token } = await stage.makeCompany({ name: mark, fund });
  await countUp(stage.url, token, mark);
  const belongings = await makeBelongings(stage.url, token, mark, sink);
  const { deliveries: _, ...others } = belongings;
  return {
    name: "owner",
    id,
    token,
    belongings,
    secrets: [mark, id, id.replaceAll("-", ""), ...Object.values(others).flat()],
    words: {
      reference: [`${mark}-sent`, `${mark}-batch 1`],
      serviceTransactionReference: (belongings["transactions"] ?? []).map((one) =>
        toServiceReference(parsePublicId("txn", one) ?? ""),
      ),
      externalId: [`${mark}-due`, `${mark}-paid`],
      msisdn: ["2250700000000", failingMsisdn],
      status: ["completed", "failed", "due", "paid"],
      createdFrom: ["2000-01-01"],
      createdTo: ["2999-01-01"],
      from: ["2000-01-01"],
      to: ["2999-01-01"],
      dialect: ["excel-fr"],
      lang: ["en"],
      limit: ["100"],
      after: ["0", "latest"],
      topics: ["transactions/completed"],
      wait: ["0"],
    },
  };
}

/** Deliveries are numbered in each company: from here on the owner's numbers are its alone. */
async function countUp(url: string, token: string, mark: string): Promise<void> {
  const transactions = Array.from({ length: 20 }, (_, index) => ({
    amount: 5_000,
    msisdn: failingMsisdn,
    reference: `${mark}-before-${index}`,
  }));
  await demand(url, "POST", "/v1/transactions/batch", { token, body: { transactions } });
  await untilSettled(url, token);
}

/** Somebody who has nothing: every list must be empty. */
export async function makeNewcomer(stage: Stage): Promise<Party> {
  const { id, accessToken: token } = await stage.makeCompany({ name: "newcomer", fund });
  return { name: "newcomer", id, token, belongings: {} };
}

/** Somebody with things of its own, who can put its own id and another's into one request. */
export async function makeNeighbour(stage: Stage, sink: Sink): Promise<Party> {
  const { id, accessToken: token } = await stage.makeCompany({ name: "neighbour", fund });
  const belongings = await makeBelongings(stage.url, token, "neighbour", sink);
  return { name: "neighbour", id, token, belongings };
}

/** Everything a party can read of its own, as text: whether anything changed. */
export async function readEverything(
  url: string,
  operations: readonly Operation[],
  { token, belongings }: Party,
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { method, path, parameters, needsToken } of operations) {
    if (method !== "GET" || !needsToken) continue;
    const isAsking = parameters.some((one) => one.in === "query" && one.required);
    if (isAsking) continue;
    const isList = parameters.some(({ name }) => name === "limit");
    const [, kind] = /\/([^/]+)\/\{\w+\}/.exec(path) ?? [];
    const ids = kind === undefined ? [""] : (belongings[kind] ?? []);
    for (const id of ids) {
      const address = path.replace(/\{\w+\}/, id) + (isList ? "?limit=100" : "");
      texts.push(`${address}: ${(await ask(url, "GET", address, { token })).text}`);
    }
  }
  return texts;
}
