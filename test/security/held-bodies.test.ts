import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { removeByOperator } from "../../src/access/members.ts";
import { revokeKey } from "../../src/companies/credentials.ts";
import { Signals } from "../../src/database/signals.ts";
import { sql } from "../../src/database/sql.ts";
import { operator } from "../../src/trail/actor.ts";
import { type SignedIn, signIn, signInOperator } from "../console.ts";
import { type TestService, test } from "../fixtures.ts";
import { patience } from "../receiver.ts";
import { routesOf } from "../routes-of.ts";

const by = operator("a test");
/** Time for the service to look at the head of a request. */
const headMs = 700;

/** A request whose body is held back after its first byte, until somebody finishes it. */
class HeldRequest {
  readonly #socket: Socket;
  readonly #rest: string;
  readonly #answer: Promise<string>;

  private constructor(socket: Socket, rest: string) {
    this.#socket = socket;
    this.#rest = rest;
    this.#answer = text(socket);
  }

  static async begin(
    { url }: TestService,
    path: string,
    headers: readonly string[],
    body: string,
  ): Promise<HeldRequest> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    const head = [`POST ${path} HTTP/1.1`, "Host: x", "Connection: close", length, ...headers];
    socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 1)}`);
    return new HeldRequest(socket, body.slice(1));
  }

  async finish(): Promise<{ readonly status: number; readonly location: string }> {
    this.#socket.write(this.#rest);
    const said = await this.#answer;
    return {
      status: Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1]),
      location: /^location: (.*)\r$/im.exec(said)?.[1] ?? "",
    };
  }
}

function formHeaders({ sessionToken }: SignedIn): readonly string[] {
  return [
    `Cookie: cauri_console=${sessionToken}`,
    "Content-Type: application/x-www-form-urlencoded",
  ];
}

test("a key that is revoked while the body is held back pays nothing", async ({
  db,
  service,
  company,
}) => {
  const body = JSON.stringify({
    type: "transfer",
    amount: 5_000,
    msisdn: "2250700000000",
    reference: "held",
  });
  const headers = [
    `Authorization: Bearer ${company.accessToken}`,
    "Content-Type: application/json",
  ];
  const held = await HeldRequest.begin(service, "/v1/transactions", headers, body);
  const [key] = await db.database.query<{ id: string }>(sql`
    select key_id as id from access_tokens where company_id = ${company.id}`);
  await sleep(headMs);
  await revokeKey(db.database, new Signals(db.url, db.database), key?.id ?? "", by);
  // The node is told of it a moment later.
  const readBalance = () => service.call("GET", "/v1/balance", { token: company.accessToken });
  await expect.poll(async () => (await readBalance()).status, patience).toBe(401);

  expect((await held.finish()).status).toBe(401);
  const made = await db.database.query(
    sql`select 1 from transfers where company_id = ${company.id}`,
  );
  expect(made).toEqual([]);
});

test("a form that is held back does nothing once the session of its sender has ended, wherever it leads", async ({
  db,
  service,
  company,
}) => {
  const owner = await signIn(db, company.id, "owner");
  const someone = await signInOperator(db);
  const paths = routesOf(service.app)
    .filter(({ methods, url }) => methods.includes("POST") && url.startsWith("/console/"))
    .map(({ url }) => url.replaceAll(/:\w+/g, "x"))
    // Who is signed in has no business there, or is looked for when the form has come.
    .filter((path) => !/^\/console\/(?:login|join|passkey)/.test(path));
  const held = await Promise.all(
    paths.map(async (path) => {
      const who = path.startsWith("/console/operations") ? someone : owner;
      const form = `token=${who.formToken}&name=late`;
      return { path, request: await HeldRequest.begin(service, path, formHeaders(who), form) };
    }),
  );
  await sleep(headMs);
  await removeByOperator(db.database, owner.email, company.id, by);
  await removeByOperator(db.database, someone.email, undefined, by);

  const answers = await Promise.all(
    held.map(async ({ path, request }) => ({ path, ...(await request.finish()) })),
  );
  const forms = answers.filter(({ status }) => status !== 404 && status !== 405);
  expect(forms.length).toBeGreaterThan(40);
  expect(forms.filter(({ location }) => !location.startsWith("/console/login"))).toEqual([]);
});
