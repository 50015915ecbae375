import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { type TestService, test } from "../fixtures.ts";
import { routesOf } from "../routes-of.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Bodies that are announced and never come: whoever waits for one does not answer. */
const announcements = [
  "Content-Type: application/json\r\nContent-Length: 1000000",
  "Content-Type: application/json\r\nTransfer-Encoding: chunked",
  "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000000",
  "Content-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked",
  "Content-Length: 1000000",
];
const chunkedForm = "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked";
/** Small forms by which somebody becomes known. */
const readFirst =
  /^\/console\/(?:login|join|companies|logout|second-factor|step-up|passkey)(?:\/|$)/;
/** Forms behind a link, which is looked for when the form, of a few kilobytes at most, has come. */
const linkForms = /^\/(?:pay\/x\/(?:code|confirm|cancel|change)|console\/join\/x)$/;
/** Far less than a body may take, and far more than an answer without one takes. */
const patienceMs = 15_000;

/** What is answered to the head of a request alone, until the service closes the connection. */
async function answerToHead(
  { url }: TestService,
  method: string,
  path: string,
  headers: string,
): Promise<{ readonly status: number; readonly text: string; readonly isClosed: boolean }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const start = headers.includes("chunked") ? '5\r\n{"n":\r\n' : '{"n":';
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${start}`);
  let isClosed = true;
  const timer = setTimeout(() => {
    isClosed = false;
    socket.destroy();
  }, patienceMs);
  const said = await text(socket).catch(() => "");
  clearTimeout(timer);
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1]), text: said, isClosed };
}

test("404 and 405: at every address that has no such route, before any body, and the connection is closed", async ({
  service,
}) => {
  const routes = routesOf(service.app);
  const addresses = ["/nothing", "/console/nothing", "/wallet/nothing", "/pay/nothing/nothing"];
  const paths = [...new Set(routes.map(({ url }) => url.replaceAll(/:\w+|\*/g, "x")))]
    .filter((path) => !path.startsWith("/v1/"))
    .concat(addresses);
  expect(paths.length).toBeGreaterThan(80);

  const waited: string[] = [];
  const ask = async (method: string, path: string, headers: string) => {
    const { status, isClosed } = await answerToHead(service, method, path, headers);
    if (!isClosed || (status !== 404 && status !== 405))
      waited.push(`${method} ${path} ${headers}: ${status}`);
  };
  const unread = await methodsWithout(service, paths);
  expect(unread.length).toBeGreaterThan(200);
  const asked = unread.flatMap((one, place) => {
    const [method = "", path = ""] = one.split(" ");
    // Each with one kind of body, and the address of nothing with all of them.
    const headers =
      path === "/nothing" ? announcements : [announcements[place % announcements.length] ?? ""];
    return headers.map((header) => [method, path, header] as const);
  });
  for (let from = 0; from < asked.length; from += 50)
    await Promise.all(asked.slice(from, from + 50).map((one) => ask(...one)));

  expect(waited).toEqual([]);
});

/** Every address with each method for which it answers 404 or 405 to a request without a body. */
async function methodsWithout(service: TestService, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths)
    for (const method of methods) {
      const { statusCode } = await service.app.inject({ method: method as "GET", url: path });
      const isLink = method === "POST" && linkForms.test(path);
      if ((statusCode === 404 || statusCode === 405) && !isLink) found.push(`${method} ${path}`);
    }
  return found;
}

test("401: under /v1 the token comes first, for every route and method, whatever body is sent", async ({
  service,
}) => {
  const routes = routesOf(service.app).filter(({ url }) => url.startsWith("/v1/"));
  const paths = [...new Set(routes.map(({ url }) => url.replaceAll(/:\w+|\*/g, "x")))];
  expect(paths.length).toBeGreaterThan(20);
  const waited: string[] = [];
  const asked = paths.flatMap((path) =>
    methods.map(
      (method, place) => [method, path, announcements[place % announcements.length] ?? ""] as const,
    ),
  );
  for (let from = 0; from < asked.length; from += 50)
    await Promise.all(
      asked.slice(from, from + 50).map(async (one) => {
        const { status, isClosed } = await answerToHead(service, ...one);
        if (status !== 401 || !isClosed) waited.push(`${one.join(" ")}: ${status}`);
      }),
    );
  expect(waited).toEqual([]);
});

test("303: a form of the console is not read before it is known who sends it", async ({
  service,
}) => {
  const routes = routesOf(service.app).filter(
    ({ url, methods: known }) => url.startsWith("/console/") && known.includes("POST"),
  );
  const paths = [...new Set(routes.map(({ url }) => url.replaceAll(/:\w+|\*/g, "x")))].filter(
    (path) => !readFirst.test(path),
  );
  const asked: string[] = [];
  const waited: string[] = [];
  for (const path of paths) {
    const { statusCode } = await service.app.inject({ method: "POST", url: path });
    if (statusCode !== 303) continue;
    asked.push(path);
    const { status, isClosed } = await answerToHead(service, "POST", path, chunkedForm);
    if (status !== 303 || !isClosed) waited.push(`${path}: ${status}`);
  }
  expect(waited).toEqual([]);
  expect(asked.length).toBeGreaterThan(25);
});

test("a body that was sent whole leaves its connection open for the next request", async ({
  service,
}) => {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const body = '{"n":5000.00000000000000000000000001}';
  const request = `POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  let said = "";
  socket.on("data", (chunk) => (said += chunk.toString()));
  for (let sent = 1; sent <= 3; sent += 1) {
    socket.write(request);
    while (said.split("HTTP/1.1 404").length <= sent) await once(socket, "data");
  }
  // What follows on the same connection is read as the next request, not as the rest of a body.
  socket.end("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  await once(socket, "close");
  expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual([
    ...Array.from({ length: 3 }, () => "HTTP/1.1 404"),
    "HTTP/1.1 200",
  ]);
});

test("a megabyte to nowhere is answered, and its sender can read the answer", async ({
  service,
}) => {
  for (const path of ["/nothing", "/healthz", "/v1/nothing", "/console/nothing"]) {
    const answer = await fetch(`${service.url}${path}`, {
      method: "POST",
      body: `{"n":5000.${"0".repeat(1_000_000)}1}`,
      headers: { "content-type": "application/json" },
    });
    expect([404, 405, 401], path).toContain(answer.status);
    await answer.text();
  }
});
