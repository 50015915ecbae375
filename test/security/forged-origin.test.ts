import { expect, onTestFinished } from "vitest";
import { Wire } from "../../torture/api/wire.ts";
import { startService, type TestDatabase, type TestService, test } from "../fixtures.ts";

const evil = "evil.example";
const publicUrl = "https://pay.example";
const forged = {
  host: evil,
  "x-forwarded-host": evil,
  "x-forwarded-proto": "javascript",
  "x-forwarded-port": "666",
  "x-original-host": evil,
  "x-host": evil,
  forwarded: `for=192.0.2.9;host=${evil};proto=https`,
  origin: `https://${evil}`,
  referer: `https://${evil}/`,
};

async function serviceWith(db: TestDatabase, settings: Record<string, string>) {
  const service = await startService(db, settings);
  onTestFinished(() => service.stop());
  return service;
}

/** Over the wire, because an honest client does not let anybody choose its Host. */
async function send(
  service: TestService,
  start: string,
  headers: Readonly<Record<string, string>>,
  body = "",
): Promise<string> {
  const lines = Object.entries({ ...headers, "content-length": String(body.length) });
  const head = [`${start} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  const wire = new Wire(service.url, 20_000);
  const exchange = await wire.send({
    bytes: Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`),
    isWhole: true,
  });
  wire.close();
  if (exchange.kind !== "answered") throw new Error(exchange.kind);
  const [answer] = exchange.answers;
  return `${answer?.status} ${JSON.stringify([...(answer?.headers ?? [])])} ${answer?.body.toString()}`;
}

test("a forged Host or X-Forwarded-… is in no link, no page and no redirection", async ({
  db,
  company,
}) => {
  for (const TRUST_PROXY of ["0", "2"]) {
    const service = await serviceWith(db, { PUBLIC_URL: publicUrl, TRUST_PROXY });
    const known = {
      ...forged,
      authorization: `Bearer ${company.accessToken}`,
      "content-type": "application/json",
    };
    const charge = {
      amount: 5_000,
      externalId: `proxy-${TRUST_PROXY}`,
      description: "Order",
      onCanceledRedirectionUrl: "https://shop.example/cart",
      onCompletedRedirectionUrl: "https://shop.example/thanks",
    };
    const created = await send(service, "POST /v1/charges", known, JSON.stringify(charge));
    const [, link = ""] = /"paymentUrl":"([^"]+)"/.exec(created) ?? [];
    expect(link).toMatch(/^https:\/\/pay\.example\/pay\/[\w-]+$/);
    const { pathname } = new URL(link);
    const form = { ...forged, "content-type": "application/x-www-form-urlencoded" };
    const { origin: _, ...own } = form;

    const answers = [
      created,
      await send(service, "GET /openapi.json", forged),
      await send(service, `GET ${pathname}`, forged),
      await send(service, `POST ${pathname}/code`, own, "phone=0701020304"),
      await send(service, `GET ${pathname}/code`, own),
      await send(service, "GET /wallet", forged),
      await send(service, "POST /wallet/change", own),
      await send(service, "GET //evil.example/wallet", forged),
      await send(service, "GET http://evil.example/wallet", forged),
      await send(service, "GET /pay/nonsense", forged),
    ];

    for (const answer of answers)
      expect(
        answer.replaceAll("//evil.example/wallet", "(echo)"),
        answer.slice(0, 200),
      ).not.toMatch(/evil|javascript:|:666/);
    expect(answers[1]).toContain(`"servers":[{"url":"${publicUrl}"}]`);
    // A form from another site is refused, whatever it says of proxies in between.
    const foreign = { ...form, host: "pay.example" };
    expect(await send(service, "POST /wallet/change", foreign)).toMatch(/^403 /);
  }
});

test("429: a forged X-Forwarded-For is no new address", async ({ db }) => {
  const service = await serviceWith(db, { AUTH_FAILURES_PER_MINUTE: "3" });
  const statuses: number[] = [];
  for (let count = 1; count <= 6; count += 1) {
    const address = `192.0.2.${count}`;
    const { status } = await service.call("GET", "/v1/balance", {
      token: `at_${"x".repeat(43)}`,
      headers: {
        "x-forwarded-for": address,
        "x-real-ip": address,
        "true-client-ip": address,
        "cf-connecting-ip": address,
        forwarded: `for=${address}`,
      },
    });
    statuses.push(status);
  }

  expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
});
