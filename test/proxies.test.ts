import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, onTestFinished } from "vitest";
import { payrollBytesMax } from "../src/payrolls/draft.ts";
import { Wire } from "../torture/api/wire.ts";
import { otherFormsOf } from "./address-forms.ts";
import { startService, test } from "./fixtures.ts";
import { ensureProxies, proxyNames, startProxy } from "./proxies.ts";

const inside = ["/metrics", "/healthz", "/readyz"];
const megabyte = 1024 * 1024;

beforeAll(ensureProxies, 600_000);

/** Somebody behind the proxy who answers everything, with the address that arrived and the bytes that came. */
async function startUpstream() {
  const targets: string[] = [];
  const server = createServer((request, response) => {
    // Not what the proxy asks for itself.
    if (request.headers["x-forwarded-for"] !== undefined) targets.push(request.url ?? "");
    let bytes = 0;
    request.on("data", (piece: Buffer) => (bytes += piece.length));
    if (request.url === "/long-header") response.setHeader("x-long", longHeader);
    request.once("end", () => response.end(JSON.stringify({ bytes })));
    request.once("error", () => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}`), targets };
}

async function ask(url: string, target: string) {
  const wire = new Wire(url, 20_000);
  const text = `GET ${target} HTTP/1.1\r\nHost: pay.example.com\r\nAccept: */*\r\n\r\n`;
  const sent = await wire.send({ bytes: Buffer.from(text, "latin1"), isWhole: true });
  wire.close();
  if (sent.kind !== "answered") return { status: 0, body: "", headers: new Map<string, string>() };
  const [answer] = sent.answers;
  return {
    status: answer?.status ?? 0,
    body: answer?.body.toString() ?? "",
    headers: answer?.headers ?? new Map<string, string>(),
  };
}

/** More than nginx passes on when nobody tells it otherwise. */
const longHeader = "x".repeat(6_000);

/** As forgivingly as a server can read an address. */
function folded(target: string): string {
  const path = target
    .replace(/[?#].*$/s, "")
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  // It reads dots that are still encoded, and backslashes as slashes.
  const { pathname } = new URL(path.replace(/^\/{2,}/, "/"), "http://x");
  return pathname
    .replaceAll(/\/+/g, "/")
    .replace(/(.)\/$/, "$1")
    .toLowerCase();
}

async function post(url: string, path: string, bytes: number, isChunked: boolean) {
  const piece = Buffer.alloc(64 * 1024, 120);
  const pieces = Array.from({ length: Math.ceil(bytes / piece.length) }, (_, place) =>
    piece.subarray(0, Math.min(piece.length, bytes - place * piece.length)),
  );
  const body = isChunked
    ? new ReadableStream({
        start(controller) {
          for (const one of pieces) controller.enqueue(one);
          controller.close();
        },
      })
    : Buffer.concat(pieces);
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  try {
    const answer = await fetch(url + path, { ...init, duplex: "half" } as RequestInit);
    return { status: answer.status, text: await answer.text() };
  } catch {
    // The proxy hung up before it had taken everything.
    return { status: 413, text: "" };
  }
}

describe.each(proxyNames)("deploy/proxy with a real %s", (name) => {
  test("404: what the operator watches is not outside, in any form", async ({ db }) => {
    const service = await startService(db);
    onTestFinished(() => service.stop());
    const proxy = await startProxy(name, new URL(service.url));

    expect((await ask(proxy.url, "/v1/balance")).status).toBe(401);
    for (const path of inside)
      for (const form of [path, `${path}?x=1`, ...otherFormsOf(path)]) {
        const { status, body } = await ask(proxy.url, form);
        expect([0, 400, 404], `${form}: ${status}`).toContain(status);
        expect(body, form).not.toMatch(/cauri_http_requests_total|"status":"ok"/);
      }
  });

  test("nothing is passed on that a forgiving server could take for one of these", async () => {
    const upstream = await startUpstream();
    const proxy = await startProxy(name, upstream.url);
    for (const path of inside)
      for (const form of [path, `${path}?x=1`, ...otherFormsOf(path)]) await ask(proxy.url, form);
    expect((await ask(proxy.url, "/console/payroll")).status).toBe(200);

    expect(upstream.targets).toContain("/console/payroll");
    expect(upstream.targets.filter((target) => inside.includes(folded(target)))).toEqual([]);
  });

  test("the answer to money that moved arrives, however many fields of the request are not known", async ({
    db,
    company,
  }) => {
    const service = await startService(db);
    onTestFinished(() => service.stop());
    const proxy = await startProxy(name, new URL(service.url));
    const unknown = Array.from({ length: 10 }, (_, place) => [`漢${place}`.padEnd(64, "漢"), 1]);
    const body = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: "r" };
    const init = {
      method: "POST",
      headers: {
        authorization: `Bearer ${company.accessToken}`,
        "content-type": "application/json",
        "idempotency-key": "k",
      },
      body: JSON.stringify({ ...body, ...Object.fromEntries(unknown) }),
    };
    for (const isReplay of [false, true]) {
      const answer = await fetch(`${proxy.url}/v1/transactions`, init);
      expect([answer.status, answer.headers.has("idempotency-replayed")]).toEqual([201, isReplay]);
      expect(answer.headers.get("cauri-ignored-fields")).toMatch(/ more$/);
    }
  });

  test("headers may be longer than any of ours", async () => {
    const upstream = await startUpstream();
    const proxy = await startProxy(name, upstream.url);
    const { status, headers } = await ask(proxy.url, "/long-header");
    expect([status, headers.get("x-long")]).toEqual([200, longHeader]);
  });

  test("413: 1.1 MB below /v1 and for a page; a batch and a payroll's file of 10 MB pass", async () => {
    const upstream = await startUpstream();
    const proxy = await startProxy(name, upstream.url);
    const { text } = await post(proxy.url, "/v1/transactions", 1.1 * megabyte, false);
    expect(JSON.parse(text)).toMatchObject({ statusCode: 413, code: "body_too_large" });
    // HAProxy leaves a body whose length nobody told to the service.
    for (const isChunked of name === "haproxy" ? [false] : [false, true]) {
      const send = (path: string, bytes: number) => post(proxy.url, path, bytes, isChunked);
      for (const path of [
        "/v1/transactions",
        "/v1/charges",
        "/console/login",
        "/console/payroll/x",
      ]) {
        expect((await send(path, 1.1 * megabyte)).status, path).toBe(413);
        expect(await send(path, megabyte), path).toEqual({
          status: 200,
          text: JSON.stringify({ bytes: megabyte }),
        });
      }
      for (const [path, most] of [
        ["/v1/transactions/batch", 16 * megabyte],
        ["/v1/transactions/batch/", 16 * megabyte],
        ["/console/payroll/upload?token=x", payrollBytesMax + 64 * 1024],
        ["/console/payroll/drafts/draft_0199ab/corrections?token=x", payrollBytesMax + 64 * 1024],
      ] as const) {
        expect(JSON.parse((await send(path, most)).text), path).toEqual({ bytes: most });
        expect((await send(path, most + 128 * 1024)).status, path).toBe(413);
      }
    }
  });
});

test.for(["nginx", "haproxy"] as const)(
  "308: %s sends people on to its own name, not to the one they wrote",
  async (name) => {
    const upstream = await startUpstream();
    const proxy = await startProxy(name, upstream.url);
    for (const host of ["evil.example", "pay.example.com", "evil.example:80", "x"]) {
      const wire = new Wire(proxy.plainUrl ?? "", 20_000);
      const text = `GET /console/login?a=1 HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
      const sent = await wire.send({ bytes: Buffer.from(text), isWhole: true });
      wire.close();
      const answer = sent.kind === "answered" ? sent.answers[0] : undefined;
      expect(answer?.status).toBe(308);
      expect(answer?.headers.get("location")).toBe("https://pay.example.com/console/login?a=1");
    }
  },
);
