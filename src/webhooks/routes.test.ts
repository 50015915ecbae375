import { describe, expect } from "vitest";
import { makeCompany, type TestCompany, type TestService, test } from "../../test/fixtures.ts";
import { send, startReceiver, subscribe } from "../../test/receiver.ts";
import { topics } from "./event.ts";

const path = "/v1/webhooks";
const topic = "transactions/completed";
const url = "https://shop.example/hooks?tenant=1#top";
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const unknown = "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6";
const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

describe("POST /v1/webhooks", () => {
  test("201: exactly the documented fields, whatever else is sent", async ({
    service,
    company,
  }) => {
    const forged = { id: unknown, createdAt: "2001-01-01T00:00:00.000Z", disabledReason: "no" };
    const { status, body } = await create(service, company, { topic, url, ...forged });

    expect(status).toBe(201);
    expect(body).toStrictEqual({
      id: expect.stringMatching(uuid),
      createdAt: timestamp,
      updatedAt: body.createdAt,
      topic,
      url,
      disabledAt: null,
      disabledReason: null,
      testEvent: null,
    });
    expect([body.id, body.createdAt]).not.toContain(forged.id);
    expect(Math.abs(Date.parse(body.createdAt) - Date.now())).toBeLessThan(60_000);
    const token = company.accessToken;
    expect(
      untested((await service.call("GET", `${path}/${body.id}`, { token })).body),
    ).toStrictEqual(body);
  });

  test("201: every topic; the other spelling of each is stored as the one of the list", async ({
    service,
    company,
  }) => {
    for (const stored of topics) {
      const other = stored.startsWith("charge/")
        ? stored.replace("charge/", "charges/")
        : stored.replace("transactions/", "transaction/");
      for (const given of [stored, other]) {
        const { status, body } = await create(service, company, { topic: given, url });
        expect([status, body.topic], given).toEqual([201, stored]);
      }
    }
    expect((await list(service, company)).body.count).toBe(2 * topics.length);
  });

  test("201: the same topic and url again and again, each with an id of its own; 422: a twenty-first, even at once", async ({
    service,
    company,
  }) => {
    const answers = await Promise.all(
      Array.from({ length: 26 }, () => create(service, company, { topic, url })),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(20);
    for (const { status, body } of answers.filter((answer) => !made.includes(answer)))
      expect([status, body.code]).toEqual([422, "too_many_webhooks"]);
    expect((await create(service, company, { topic, url })).status).toBe(422);

    const token = company.accessToken;
    await service.call("DELETE", `${path}/${made[0]?.body.id}`, { token });
    expect((await create(service, company, { topic, url })).status).toBe(201);
    expect((await create(service, company, { topic, url })).status).toBe(422);
  });

  test("nothing is sent when a webhook is registered, read or deleted", async ({
    service,
    company,
  }) => {
    const receiver = await startReceiver();
    const witness = await startReceiver();
    const token = company.accessToken;
    const ids = await subscribe(service, company, receiver.url);
    for (const id of Object.values(ids)) {
      await service.call("GET", `${path}/${id}`, { token });
      await service.call("DELETE", `${path}/${id}`, { token });
    }
    await subscribe(service, company, witness.url);
    await send(service, company, "r1");
    await witness.until(2);
    expect(receiver.received).toEqual([]);
  });

  test("Idempotency-Key: the same answer again and one webhook; 422 with another body", async ({
    service,
    company,
  }) => {
    const headers = { "idempotency-key": "one" };
    const first = await create(service, company, { topic, url }, headers);
    const again = await create(service, company, { url, topic }, headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toStrictEqual(first.body);

    const other = await create(service, company, { topic, url: `${url}2` }, headers);
    expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
    expect((await list(service, company)).body.data.map(untested)).toStrictEqual([first.body]);
  });
});

describe("GET and DELETE", () => {
  test("the list: newest first, in pages both ways, without those that were deleted", async ({
    service,
    company,
  }) => {
    const made: unknown[] = [];
    for (let index = 0; index < 5; index += 1)
      made.unshift((await create(service, company, { topic, url: `${url}${index}` })).body);
    const all = await list(service, company);
    expect({ ...all.body, data: all.body.data.map(untested) }).toStrictEqual({
      count: 5,
      limit: 15,
      cursor: { prev: null, next: null },
      data: made,
    });

    const first = (await list(service, company, "?limit=2")).body;
    expect([first.count, first.limit, first.cursor.prev]).toEqual([2, 2, null]);
    const second = (await list(service, company, `?limit=2&cursor=${first.cursor.next}`)).body;
    const last = (await list(service, company, `?limit=2&cursor=${second.cursor.next}`)).body;
    expect([...first.data, ...second.data, ...last.data].map(untested)).toStrictEqual(made);
    expect(last.cursor.next).toBeNull();
    const back = (await list(service, company, `?limit=2&cursor=${last.cursor.prev}`)).body;
    expect(back.data.map(untested)).toStrictEqual(second.data.map(untested));
    for (const query of ["?limit=0", "?limit=101", "?cursor=x", "?limit=a"])
      expect((await list(service, company, query)).status, query).toBe(400);

    const { id } = first.data[0];
    await service.call("DELETE", `${path}/${id}`, { token: company.accessToken });
    expect((await list(service, company)).body.data.map(untested)).toStrictEqual(made.slice(1));
  });

  test("204 with no body, also when a content type is sent with nothing; 404 the second time", async ({
    service,
    company,
  }) => {
    const token = company.accessToken;
    for (const headers of [{}, { "content-type": "application/json" }]) {
      const { id } = (await create(service, company, { topic, url })).body;
      const deleted = await service.call("DELETE", `${path}/${id}`, { token, headers });
      expect([deleted.status, deleted.body]).toEqual([204, ""]);
      for (const method of ["DELETE", "GET"]) {
        const answer = await service.call(method, `${path}/${id}`, { token });
        expect([answer.status, answer.body.code], method).toEqual([404, "webhook_not_found"]);
      }
    }
  });

  test("404: another company's, malformed and unknown ids, all alike; 401: no token", async ({
    db,
    service,
    company,
  }) => {
    const other = await makeCompany(db.database);
    const { id: foreign } = (await create(service, other, { topic, url })).body;
    const malformed = ["x", "1", foreign.toUpperCase(), `${foreign}0`, "%00", "..%2f", "'--"];
    for (const id of [foreign, unknown, ...malformed]) {
      for (const [method, rest] of [
        ["GET", ""],
        ["DELETE", ""],
        ["GET", "/deliveries"],
        ["POST", "/deliveries/1/redeliver"],
      ] as const) {
        const address = `${path}/${id}${rest}`;
        const answer = await service.call(method, address, { token: company.accessToken });
        expect([answer.status, answer.body.code], `${method} ${address}`).toEqual([
          404,
          "webhook_not_found",
        ]);
        expect((await service.call(method, address)).status, `${method} ${address}`).toBe(401);
      }
    }
    expect((await service.call("POST", path, { body: { topic, url } })).status).toBe(401);
    expect((await service.call("GET", path)).status).toBe(401);
    expect((await list(service, company)).body.data).toEqual([]);
    expect((await list(service, other)).body.data).toMatchObject([{ id: foreign }]);
  });
});

function create(
  service: TestService,
  { accessToken: token }: TestCompany,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const json = { "content-type": "application/json", ...headers };
  return service.call("POST", path, { token, body, headers: json });
}

function list(service: TestService, { accessToken: token }: TestCompany, query = "") {
  return service.call("GET", path + query, { token });
}

/** As it was when it was made: the answer to its test event may come at any moment after that. */
function untested<Resource extends object>(resource: Resource): Resource {
  return { ...resource, testEvent: null };
}
