import type { Customer } from "../../src/customers/customer.ts";
import { addCustomer } from "../../src/customers/keep-book.ts";
import { untilSettled } from "../api/belongings.ts";
import { demand } from "../api/client.ts";
import { onPlace, type Place } from "../ground.ts";
import type { Campaign, PartReport, Scale } from "../part.ts";
import { openGateway, type Sms } from "./gateway.ts";
import { Visitor } from "./visitor.ts";

const plans: Record<Scale, { readonly attempts: number }> = {
  short: { attempts: 300 },
  full: { attempts: 10_000 },
};
const atOnce = 24;
const companies = 5;
const linksEach = 20;
const phones = 60;
const networks = 12;
const wrongCodeShare = 0.25;
const countries = ["225", "221", "229", "882"];
const victim = "2210770000001";

/** Messages an hour: small enough that the attack reaches each of them. */
const hourly = { phone: 12, address: 40, company: 60, country: 100, all: 200 };
/** Everybody in the attack is a stranger to the phones: the rest of a budget is for browsers that a phone knows. */
const strangersShare = 0.8;

/**
 * Has messages sent and guesses codes: from many companies, links, browsers and addresses, on two services. No budget may
 * be exceeded, and a payer whose phone and link are attacked too pays from their own browser as on any other day.
 */
export async function attackMessages(campaign: Campaign): Promise<PartReport> {
  const gateway = await openGateway();
  try {
    return await onPlace({}, async (place) => {
      const settings = {
        LOG_LEVEL: "error",
        TRUST_PROXY: "1",
        SMS_GATEWAY_URL: gateway.url,
        SMS_GATEWAY_TOKEN: "gateway",
        MESSAGES_PER_PHONE: `${hourly.phone}/1000`,
        MESSAGES_PER_ADDRESS: `${hourly.address}/1000`,
        MESSAGES_PER_COMPANY: `${hourly.company}/1000`,
        MESSAGES_PER_COUNTRY: `${hourly.country}/1000`,
        MESSAGES_IN_ALL: `${hourly.all}/1000`,
      };
      const urls = [(await place.start(settings)).url, (await place.start(settings)).url] as const;
      return attack(campaign, place, urls, gateway.received);
    });
  } finally {
    await gateway.close();
  }
}

async function attack(
  { random, scale, deadline, progress }: Campaign,
  place: Place,
  urls: readonly [string, string],
  received: readonly Sms[],
): Promise<PartReport> {
  progress("messages and codes");
  for (let index = 0; index < phones; index += 1)
    await addCustomer(place.database, personOf(phoneOf(index)));
  const links: string[] = [];
  for (let number = 0; number < companies; number += 1) {
    const { accessToken } = await place.makeCompany({ name: `Shop ${number}`, fund: 10_000_000 });
    for (let link = 0; link < linksEach; link += 1)
      links.push(await makeLink(urls[0], accessToken, `link ${link}`));
  }
  const payer = await Payer.meet(place, urls[0], received);
  const findings: string[] = [...(await payer.pay(links))];

  const { attempts } = plans[scale];
  const hoursBefore = hourNow();
  const payTurns = new Set([Math.floor(attempts / 3), Math.floor((attempts * 2) / 3)]);
  const paying: Promise<string[]>[] = [];
  let begun = 0;
  let answered = 0;
  const call = async () => {
    while (begun < attempts && !deadline.aborted) {
      const turn = begun++;
      if (payTurns.has(turn)) paying.push(payer.pay(links));
      const index = random.integer(0, phones - 1);
      const path = turn % 3 === 0 ? "/wallet" : random.pick(links);
      const phone = turn % 10 === 0 ? victim : phoneOf(index);
      const visitor = new Visitor(urls[turn % 2 === 0 ? 0 : 1], path, addressOf(index, turn));
      const statuses = [await visitor.post("code", { phone: `+${phone}` })];
      if (random.isLikely(wrongCodeShare))
        for (let guess = 0; guess < 3; guess += 1)
          statuses.push(await visitor.post("confirm", { code: String(100_000 + guess) }));
      answered += statuses.length;
      for (const status of statuses)
        if (![303, 422, 429].includes(status)) findings.push(`${path} was answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, call));
  for (const problems of await Promise.all(paying)) findings.push(...problems);
  const hours = hourNow() - hoursBefore + 1;
  return {
    counts: { "attempts to have messages sent": answered, "messages sent": received.length },
    findings: [
      ...new Set([
        ...findings,
        ...overspent(received, hours, payTurns.size + 1),
        ...(await place.auditFindings()),
      ]),
    ],
  };
}

/** Budgets that more was sent of than they say; the payer's own messages come on top of what strangers get. */
function overspent(received: readonly Sms[], hours: number, own: number): string[] {
  const findings: string[] = [];
  const check = (what: string, groups: Map<string, number>, budget: number) => {
    const most = Math.floor(budget * strangersShare) * hours + own;
    for (const [name, count] of groups)
      if (count > most) findings.push(`${count} messages ${what} ${name}, at most ${most} allowed`);
  };
  const by = (keyOf: (sms: Sms) => string | undefined) => {
    const groups = new Map<string, number>();
    for (const sms of received) {
      const key = keyOf(sms);
      if (key !== undefined) groups.set(key, (groups.get(key) ?? 0) + 1);
    }
    return groups;
  };
  check(
    "to phone",
    by(({ to }) => to),
    hourly.phone,
  );
  check(
    "for",
    by(({ text }) => /Shop \d/.exec(text)?.[0]),
    hourly.company,
  );
  check(
    "to country",
    by(({ to }) => to.slice(0, 3)),
    hourly.country,
  );
  check(
    "to",
    by(() => "everybody"),
    hourly.all,
  );
  const abroad = received.filter(({ to }) => to.startsWith("882")).length;
  if (abroad > 0) findings.push(`${abroad} messages to a country that gets none`);
  return findings;
}

/** Somebody who only wants to pay. Their browser is known to their phone from the first payment on. */
class Payer {
  readonly #url: string;
  readonly #received: readonly Sms[];
  #cookie = "";
  #used = 0;

  private constructor(url: string, received: readonly Sms[]) {
    this.#url = url;
    this.#received = received;
  }

  static async meet(place: Place, url: string, received: readonly Sms[]): Promise<Payer> {
    await addCustomer(place.database, personOf(victim));
    const { accessToken: token } = await place.makeCompany({ name: "Employer", fund: 1_000_000 });
    const body = { type: "transfer", amount: 100_000, msisdn: victim, reference: "salary" };
    await demand(url, "POST", "/v1/transactions", { token, body });
    // Nobody pays before they are paid.
    await untilSettled(url, token);
    return new Payer(url, received);
  }

  /** Pays one of these links, which attackers have too; returns what went wrong. */
  async pay(links: readonly string[]): Promise<string[]> {
    const path = links[this.#used++] ?? "";
    const visitor = new Visitor(this.#url, path, "198.51.100.7", this.#cookie);
    const asked = await visitor.post("code", { phone: `+${victim}` });
    const code = this.#received
      .filter(({ to }) => to === victim)
      .map(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? "")
      .at(-1);
    await visitor.post("confirm", { code: code ?? "" });
    this.#cookie = visitor.cookie;
    const { status, html } = await visitor.get();
    if (html.includes('class="done"')) return [];
    return [`the payer could not pay ${path} (asked: ${asked}, page: ${status})`];
  }
}

async function makeLink(url: string, token: string, externalId: string): Promise<string> {
  const { body } = await demand(url, "POST", "/v1/charges", {
    token,
    body: {
      amount: 1_000,
      externalId,
      description: "An order",
      onCompletedRedirectionUrl: "https://shop.example/thanks",
      onCanceledRedirectionUrl: "https://shop.example/cart",
    },
  });
  return new URL(String(body.paymentUrl)).pathname;
}

function personOf(msisdn: string): Customer {
  return { msisdn, firstName: "Awa", lastName: "Diop", kycStatus: "complete", balanceMax: null };
}

function phoneOf(index: number): string {
  return `${countries[index % countries.length]}07000${String(index).padStart(5, "0")}`;
}

/** Half of the networks are IPv6 lines, from which hardly two requests come with the same address. */
function addressOf(index: number, turn: number): string {
  const line = index % networks;
  return line % 2 === 0 ? `203.0.113.${line}` : `2001:db8:0:${line}::${turn.toString(16)}`;
}

function hourNow(): number {
  return Math.floor(Date.now() / 3_600_000);
}
