import { expect } from "vitest";
import { hourOf } from "../../test/codes.ts";
import {
  makeCompany,
  makeCustomer,
  startService,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import { PayPage } from "../../test/pay-page.ts";
import { startReceiver } from "../../test/receiver.ts";
import { Random } from "../../torture/random.ts";

const attempts = 1_000;
const atOnce = 20;
const countries = ["225", "221", "229", "882"];
const companies = 5;
const addresses = 12;
const phones = 60;

const budgets = {
  MESSAGES_PER_PHONE: "5/9",
  MESSAGES_PER_ADDRESS: "20/30",
  MESSAGES_PER_COMPANY: "30/50",
  MESSAGES_PER_COUNTRY: "50/80",
  MESSAGES_IN_ALL: "100/150",
};

/** Every phone is used from one address, so that what arrives at the gateway tells the address too. */
function phoneOf(index: number): string {
  return `${countries[index % countries.length]}07000${String(index).padStart(4, "0")}`;
}

/** Half of them are IPv6 lines, from which hardly two requests come with the same address. */
function addressOf(index: number, host: number): string {
  const line = index % addresses;
  return line % 2 === 0 ? `203.0.113.${line}` : `2001:db8:0:${line}::${host.toString(16)}`;
}

test(`${attempts} attempts from many companies, links, browsers and addresses, on two nodes: never more than the budgets say`, async ({
  db,
}) => {
  const gateway = await startReceiver();
  const settings = {
    ...budgets,
    SMS_GATEWAY_URL: `${gateway.url}/messages`,
    SMS_GATEWAY_TOKEN: "gateway-token",
  };
  const nodes = [await startService(db, settings), await startService(db, settings)] as const;
  try {
    const pages: PayPage[] = [];
    for (let company = 0; company < companies; company += 1) {
      const made = await makeCompany(db.database, { name: `Shop ${company}` });
      for (let charge = 0; charge < 20; charge += 1) pages.push(await PayPage.make(nodes[0], made));
    }
    for (let index = 0; index < phones; index += 1) await makeCustomer(db.database, phoneOf(index));
    const random = new Random(6);
    let left = attempts;
    const hoursBefore = await hourOf(db.database);
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (left > 0) {
          left -= 1;
          await attempt(nodes, pages, random, left);
        }
      }),
    );
    const hours = (await hourOf(db.database)) - hoursBefore + 1;

    const received = gateway.received.map(({ body }) => ({
      phone: String(body.to).slice(1),
      shop: /Shop \d/.exec(String(body.text))?.[0] ?? "the wallet",
    }));
    // Strangers get four fifths of each budget. All of them are strangers here.
    const fewest = (groups: Record<string, number>) => Math.max(0, ...Object.values(groups));
    const by = (key: (message: (typeof received)[number]) => string) => {
      const counts: Record<string, number> = {};
      for (const message of received) counts[key(message)] = (counts[key(message)] ?? 0) + 1;
      return counts;
    };
    expect(received.length).toBeLessThanOrEqual(80 * hours);
    expect(received.length).toBeGreaterThanOrEqual(70);
    expect(fewest(by(({ phone }) => phone))).toBeLessThanOrEqual(4 * hours);
    expect(fewest(by(({ phone }) => lineOf(phone)))).toBeLessThanOrEqual(16 * hours);
    expect(fewest(by(({ phone }) => phone.slice(0, 3)))).toBeLessThanOrEqual(40 * hours);
    const { "the wallet": _, ...shops } = by(({ shop }) => shop);
    expect(fewest(shops)).toBeLessThanOrEqual(24 * hours);
    expect(received.some(({ phone }) => phone.startsWith("882"))).toBe(false);
    const metrics = await nodes[0].call("GET", "/metrics");
    expect(metrics.body).toMatch(/cauri_message_budgets_total\{.*state="refused"\} \d+/);
  } finally {
    for (const node of nodes) await node.stop();
  }
});

/** Which line a phone's messages were asked for from. */
function lineOf(phone: string): string {
  return String(Number(phone.slice(-4)) % addresses);
}

async function attempt(
  nodes: readonly [TestService, TestService],
  pages: readonly PayPage[],
  random: Random,
  turn: number,
): Promise<void> {
  const index = random.integer(0, phones - 1);
  const page = random.pick(pages);
  const node = nodes[turn % 2 === 0 ? 0 : 1];
  const path = turn % 3 === 0 ? "/wallet" : page.path;
  // A plain connection always comes from this machine: only here an address can be anything.
  const answer = await node.app.inject({
    method: "POST",
    url: `${path}/code`,
    remoteAddress: addressOf(index, random.integer(1, 0xffff)),
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams({ phone: `+${phoneOf(index)}` }).toString(),
  });
  expect([303, 422, 429]).toContain(answer.statusCode);
}
