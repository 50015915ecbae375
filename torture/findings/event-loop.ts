import { apiCases } from "../cost/api-cases.ts";
import type { Case } from "../cost/case.ts";
import { fileCases } from "../cost/file-cases.ts";
import { Judge } from "../cost/judge.ts";
import type { Site } from "../cost/site.ts";
import { type Finding, good, type Observation } from "./finding.ts";

/** Of the longest that may be sent: enough to tell a square from a line. */
const bodyShare = 0.016;
const workbookShare = 0.001;
const longDigits = 2_000;

const numbers = ["POST /nothing without a token", "PUT /v1/transactions"].map(
  (way) => `${way}, body: a number that is nearly 5000`,
);

/** One request never holds up everybody: judged by the processor time it takes, as all input is. */
export const eventLoopFindings: readonly Finding[] = [
  {
    name: "1 a number that stops a node",
    promise:
      "A long number costs no more than its length, numbers of thousands of digits are refused, and where nothing is to be found no body is read.",
    reproduce: async (site) => {
      const unread = await post(site, "/nothing", "{", {});
      const number = `5000.${"0".repeat(longDigits)}1`;
      const body = `{"type":"transfer","amount":${number},"msisdn":"2250700000000","reference":"long"}`;
      const refused = await post(site, "/v1/transactions", body, {
        authorization: `Bearer ${site.token}`,
      });
      return [
        good(unread === 404, `POST /nothing without a token, with half a body: ${unread}`),
        good(refused === 400, `a number of ${longDigits} digits: ${refused}`),
        ...(await judged(
          site,
          apiCases([]).filter(({ name }) => numbers.includes(name)),
          bodyShare,
        )),
      ];
    },
  },
  {
    name: "3 number formats of brackets",
    promise: "A number format of a workbook costs no more than its length.",
    reproduce: (site) => judged(site, named("a number format of brackets"), workbookShare),
  },
  {
    name: "4 cells that share one long text",
    promise: "A text that many cells share counts each time, before it is written out.",
    reproduce: (site) => judged(site, named("cells that share one long text"), workbookShare * 5),
  },
];

function named(shape: string): Case[] {
  return fileCases().filter(({ name }) => name === `an upload, workbook: ${shape}`);
}

async function judged(site: Site, cases: readonly Case[], share: number): Promise<Observation[]> {
  if (cases.length === 0) throw new Error("there is nothing to send");
  const judge = new Judge(site);
  const seen: Observation[] = [];
  for (const one of cases)
    seen.push(...(await judge.try(one, share)).map((problem) => good(false, problem)));
  await judge.close();
  return [...seen, good(true, `${cases.length} shapes, longer and longer`)];
}

async function post(
  site: Site,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const response = await fetch(site.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}
