import { describe, expect, test } from "vitest";
import type { OpenApiDocument, Operation } from "../../torture/api/document.ts";
import { readOperations } from "../../torture/api/document.ts";
import type { WireAnswer } from "../../torture/api/wire.ts";
import { breakages } from "../../torture/input/breakages.ts";
import { makeJudge } from "../../torture/input/judge.ts";
import type { Owner } from "../../torture/isolation/parties.ts";
import { bodyTries, pathTries, queryTries, UnknownKind } from "../../torture/isolation/tries.ts";
import { Random } from "../../torture/random.ts";

const string = { type: "string" };
const error = {
  type: "object",
  required: ["statusCode", "correlationId"],
  properties: { statusCode: { type: "integer" }, correlationId: string },
};

function documentWith(path: string, parameters: readonly object[] = [], body?: object) {
  return {
    components: { schemas: { Error: error } },
    paths: {
      [path]: {
        post: {
          operationId: "try",
          security: [{}],
          parameters,
          ...(body === undefined
            ? {}
            : { requestBody: { content: { "application/json": { schema: body, example: {} } } } }),
          responses: {
            "200": {
              content: {
                "application/json": { schema: { type: "object", properties: { id: string } } },
              },
            },
            "404": {
              content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
            },
          },
        },
      },
    },
  } as unknown as OpenApiDocument;
}

function operationOf(document: OpenApiDocument): Operation {
  const [operation] = readOperations(document);
  if (operation === undefined) throw new Error("no operation");
  return operation;
}

describe("what the campaign of broken requests complains about", () => {
  const document = documentWith("/v1/things");
  const operation = operationOf(document);
  const judge = makeJudge(document);
  const [breakage] = breakages;
  if (breakage === undefined) throw new Error("no breakage");
  const good = { statusCode: 404, correlationId: "c" };

  const complaint = (
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
    mayHangUp = false,
  ) => {
    const answer: WireAnswer = {
      status,
      headers: new Map(
        Object.entries({
          "x-correlation-id": "c",
          "x-content-type-options": "nosniff",
          "content-type": "application/json; charset=utf-8",
          ...headers,
        }),
      ),
      body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
    };
    const request = { operation, bytes: Buffer.alloc(0), isWhole: true, mayHangUp };
    return judge(
      { operation, breakage, request },
      { kind: "answered", answers: [answer], isOpen: true },
    );
  };

  test("nothing, when the answer is a documented one", () => {
    expect(complaint(404, good)).toBeUndefined();
    expect(complaint(200, { id: "x" })).toBeUndefined();
  });

  test("a wrong status, body, header or word", () => {
    const wrong = {
      "a mistake of ours": complaint(500, { ...good, statusCode: 500 }),
      overload: complaint(503, { ...good, statusCode: 503 }),
      "a redirection": complaint(302, "", { location: "/" }),
      "a status that is not documented": complaint(418, { ...good, statusCode: 418 }),
      "a field that is not documented": complaint(404, { ...good, sql: "x" }),
      "a success with another field": complaint(200, { id: "x", secret: "y" }),
      "a field that is missing": complaint(404, { statusCode: 404 }),
      "another status inside": complaint(404, { ...good, statusCode: 400 }),
      "no JSON": complaint(404, "<html>"),
      "another type": complaint(404, good, { "content-type": "text/html" }),
      "another correlation id": complaint(404, good, { "x-correlation-id": "d" }),
      "no nosniff": complaint(404, good, { "x-content-type-options": "" }),
      "a stack": complaint(200, { id: "x\n    at main (file.ts:1)" }),
      "a word of the database": complaint(200, { id: 'relation "transfers" does not exist' }),
    };
    for (const [name, found] of Object.entries(wrong)) expect(found, name).toBeDefined();
  });

  test("silence, and a connection that is cut without a word", () => {
    const request = { operation, bytes: Buffer.alloc(0), isWhole: true };
    const next = { operation, breakage, request };
    expect(judge(next, { kind: "silent" })).toBeDefined();
    expect(judge(next, { kind: "closed" })).toBeDefined();
    const cut = { ...next, request: { ...request, mayHangUp: true } };
    expect(judge(cut, { kind: "closed" })).toBeUndefined();
  });
});

describe("what the isolation campaign has to be taught", () => {
  const random = new Random(1);
  const owner: Owner = {
    name: "owner",
    id: "0",
    token: "t",
    belongings: { transactions: ["txn_1"], "sub-companies": ["subco_1"] },
    secrets: [],
    words: {},
  };
  const id = (place: string, name: string) => ({ in: place, name, required: true, schema: string });

  test("an id in an address, a query or a body that it cannot make a thing for", () => {
    const path = operationOf(documentWith("/v1/invoices/{id}", [id("path", "id")]));
    const query = operationOf(documentWith("/v1/things", [id("query", "invoiceId")]));
    const body = { type: "object", properties: { invoiceId: string } };
    const inside = operationOf(documentWith("/v1/things", [], body));

    expect(() => pathTries(path, owner, owner, random)).toThrow(UnknownKind);
    expect(() => queryTries({ ...query, method: "GET" }, owner, owner, [], random)).toThrow(
      UnknownKind,
    );
    expect(() => bodyTries(inside, owner, owner, random)).toThrow(UnknownKind);
  });

  test("nothing, where it knows the kind of thing", () => {
    const party = { ...owner, belongings: {} };
    const path = operationOf(documentWith("/v1/transactions/{id}", [id("path", "id")]));

    expect(pathTries(path, owner, party, random).length).toBeGreaterThan(0);
  });
});
