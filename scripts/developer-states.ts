import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type ConsoleStage, formOpener, readPage, type Seat, sendForm } from "./console-seats.ts";
import { opener, type PageState } from "./page-states.ts";
import { api } from "./stage.ts";

const webhooks = "/console/developers/webhooks";
const deliveries = "/console/developers/deliveries";
const triesMax = 600;

/** The screens of developers: of a company with receivers, and of one on its first day. */
export async function makeDeveloperStates(
  stage: ConsoleStage,
  owner: Seat,
  newcomer: Seat,
): Promise<PageState[]> {
  const at = (path: string, seat: Seat = owner) => opener(stage, path, seat.cookies);
  const server = createServer((request, response) => {
    request.resume();
    response.end("merci");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const register = (topic: string, url: string) =>
    sendForm(stage, owner, webhooks, new URLSearchParams({ topic, url }));
  const good = await register("transactions/completed", `http://127.0.0.1:${port}/hooks/cauri`);
  await register("transactions/failed", "http://127.0.0.1:9/hooks/cauri");
  for (const name of ["Awa", "Moussa", "Fatou"])
    await api(stage, "/v1/transactions", {
      type: "transfer",
      amount: 7_500,
      msisdn: stage.people.rich,
      reference: `Prime, ${name}`,
    });
  const told = await untilFound(stage, owner, `${deliveries}?status=delivered`, /deliveries\/\d+"/);
  const [, delivery = deliveries] = /href="([^"]*\/deliveries\/\d+)"/.exec(told) ?? [];
  const today = new Date().toISOString().slice(0, 10);
  const days = new URLSearchParams({ since: today, until: today, which: "all" });
  const replay = await sendForm(stage, owner, `${good}/replay`, days);
  await untilFound(stage, owner, replay, /100/);
  await untilFound(stage, owner, good, /merci|%/);
  server.closeAllConnections();
  server.close();
  return [
    { name: "console-requests", open: at("/console/developers/requests") },
    { name: "console-requests-empty", open: at("/console/developers/requests", newcomer) },
    { name: "console-signature", open: at("/console/developers/signature") },
    { name: "console-signature-found", isAnswer: true, open: checkSignature(stage, owner) },
    { name: "console-webhooks", open: at(webhooks) },
    { name: "console-webhooks-empty", open: at(webhooks, newcomer) },
    { name: "console-webhook", open: at(good) },
    { name: "console-webhook-delete", open: at(`${good}/delete`) },
    { name: "console-replay", open: at(replay) },
    { name: "console-deliveries", open: at(deliveries) },
    { name: "console-deliveries-empty", open: at(deliveries, newcomer) },
    { name: "console-delivery", open: at(delivery) },
  ];
}

/** What is found of a body that something has written anew. */
function checkSignature(stage: ConsoleStage, seat: Seat): PageState["open"] {
  return async (page, lang) => {
    await formOpener(stage, "/console/developers/signature", seat)(page, lang);
    await page.locator("#body").fill('{"topic": "transactions/completed", "data": {}}');
    await page
      .locator("#headers")
      .fill("webhook-id: msg_1\nwebhook-timestamp: 1767225600\nwebhook-signature: v1,AAAA");
    await page.locator("main form button").first().click();
    await page.locator("main .notice.bad").waitFor();
  };
}

/** The page once it shows what is waited for. */
async function untilFound(
  stage: ConsoleStage,
  seat: Seat,
  path: string,
  shape: RegExp,
): Promise<string> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const page = await readPage(stage, seat, path);
    if (shape.test(page)) return page;
    await sleep(50);
  }
  throw new Error(`${path} never had ${String(shape)}`);
}
