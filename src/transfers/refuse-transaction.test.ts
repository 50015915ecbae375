import { describe, expect } from "vitest";
import { type TestCompany, type TestService, test } from "../../test/fixtures.ts";

const path = "/v1/transactions";
const request = {
  type: "transfer",
  amount: 5_000,
  msisdn: "2250700000000",
  reference: "rent",
};
const nul = "\u0000";
const halfPair = "\ud83d";

/** Values as they stand in the JSON text, because some of them no JSON.stringify would write. */
const wrong = {
  amount:
    '4999 500001 0 -0 -5000 5000.5 5000.0000001 5000.0000000000001 4999.9999999999999999 12345678901234567890 1e400 -1e400 1e21 9007199254740993 "5000" "" true null [] [5000] {}',
  msisdn:
    '"" "+" "1234567" "+1234567" "1234567890123456" "225-0700000000" "++2250700000000" "2250700000000+" "0x2250700000" "٢٢٥٠٧٠٠٠٠٠٠٠٠" "2250700000000\\n" "2250700000000\\u0000" "0700000000" "+0700000000" "002250700000000" "+002250700000000" 2250700000000 null true ["2250700000000"] {}',
  reference:
    '"" 7 null true ["rent"] {} "\\u0000" "a\\u0000b" "\\ud83d" "a\\udc00b" "\\udc00\\ud83d" "\\u0020" "x\\u0020" "\\u0020x" "x\\t" "x\\n" "\\u00a0x" "a\\nb" "a\\u007fb" "a\\u0085b"',
  currency: '"EUR" "xof" "" null 952 ["XOF"]',
  type: '"" "api-transfer" "Transfer" "TRANSFER" "payment" null 1 true ["transfer"] {}',
  metadata: '"text" 1 true [] [{}]',
  description: '1 true [] {} "\\u0000" "\\ud83d"',
  subCompanyId: "1 true [] {}",
};

describe("POST /v1/transactions", () => {
  test("400: a wrong amount, msisdn, reference, type, metadata, description or subCompanyId", async ({
    service,
    company,
  }) => {
    const answers: string[] = [];
    const expected: string[] = [];
    for (const [field, values] of Object.entries(wrong)) {
      const rest = JSON.stringify({ ...request, [field]: undefined }).slice(0, -1);
      for (const value of values.split(" ")) {
        const { status, body } = await send(service, company, `${rest},"${field}":${value}}`);
        answers.push(`${field} ${value}: ${status} ${body.code} ${fieldsOf(body)}`);
        expected.push(`${field} ${value}: 400 invalid_request ${field}`);
      }
    }

    expect(answers).toEqual(expected);
    await expectNothingWritten(service, company);
  });

  test("400: a required field left out is named; all of them at once are all named", async ({
    service,
    company,
  }) => {
    for (const field of ["type", "amount", "msisdn", "reference"]) {
      const { status, body } = await send(
        service,
        company,
        JSON.stringify({ ...request, [field]: undefined }),
      );
      expect(status, field).toBe(400);
      expect(body.details).toEqual([{ field, code: "required", message: expect.any(String) }]);
      expect(body.message).toContain(field);
    }
    const { status, body } = await send(service, company, "{}");
    expect(status).toBe(400);
    expect(fieldsOf(body)).toBe("amount,msisdn,reference,type");
    expect(body.message).toEqual(expect.any(String));
    await expectNothingWritten(service, company);
  });

  test("400: a reference of 256 characters; 255 are accepted, whatever alphabet", async ({
    service,
    company,
  }) => {
    const accepted = ["a".repeat(255), "é".repeat(255), "😀".repeat(255), "a b", "'; --", '"\\'];
    for (const reference of accepted) {
      const answer = await send(service, company, JSON.stringify({ ...request, reference }));
      expect([answer.status, answer.body.reference]).toEqual([201, reference]);
    }
    for (const reference of ["a".repeat(256), "😀".repeat(256), "a".repeat(100_000)]) {
      const answer = await send(service, company, JSON.stringify({ ...request, reference }));
      expect([answer.status, fieldsOf(answer.body)]).toEqual([400, "reference"]);
    }
  });

  test("400: metadata above 16 KB; up to that it comes back as given, at creation and later", async ({
    service,
    company,
  }) => {
    const given: readonly object[] = [
      {},
      { b: 1, a: null, nested: { list: [1, "2", null, { deep: [[[]]] }] }, "": "empty name" },
      { constructor: "x", toString: null, hasOwnProperty: 1, prototype: {} },
      { text: `${nul}${halfPair} é 😀 </script> \u2028`, number: -1.5e-7, yes: true },
      { pad: "x".repeat(16 * 1024 - '{"pad":""}'.length) },
    ];
    for (const [index, metadata] of given.entries()) {
      const reference = `m${index}`;
      const { status, body } = await send(
        service,
        company,
        JSON.stringify({ ...request, reference, metadata }),
      );
      expect(status, JSON.stringify(metadata).slice(0, 80)).toBe(201);
      const { accessToken: token } = company;
      const later = await service.call("GET", `${path}/${body.id}`, { token });
      for (const { metadata: answered } of [body, later.body])
        expect(JSON.stringify(answered)).toBe(JSON.stringify(metadata));
    }
    const none = await send(service, company, JSON.stringify({ ...request, metadata: null }));
    expect([none.status, none.body.metadata]).toEqual([201, null]);

    const metadata = { pad: "x".repeat(16 * 1024 - '{"pad":""}'.length + 1) };
    const refused = await send(service, company, JSON.stringify({ ...request, metadata }));
    expect([refused.status, fieldsOf(refused.body)]).toEqual([400, "metadata"]);
  });

  test("400 or unchanged: a number in metadata that no double can hold never comes back as another", async ({
    service,
    company,
  }) => {
    for (const number of ["12345678901234567890", "1e400"]) {
      const rest = JSON.stringify({ ...request, reference: number }).slice(0, -1);
      const answer = await sendRaw(service, company, `${rest},"metadata":{"n":${number}}}`);
      const text = await answer.text();
      if (answer.status !== 400) expect(text).toContain(`"metadata":{"n":${number}}`);
    }
  });

  test("400: a body that is empty, not JSON, not an object, not UTF-8, too deep or poisoned", async ({
    service,
    company,
  }) => {
    const text = JSON.stringify(request);
    const open = text.slice(0, -1);
    const bodies: Record<string, string | Uint8Array> = {
      empty: "",
      blank: "  ",
      "cut off": open,
      "trailing comma": `${open},}`,
      "two values": text + text,
      "single quotes": text.replaceAll('"', "'"),
      NaN: `${open},"x":NaN}`,
      "a byte that is NUL": `${text}\u0000`,
      null: "null",
      number: "5000",
      string: '"transfer"',
      array: `[${text}]`,
      "not UTF-8": Buffer.concat([
        Buffer.from(`${open},"description":"`),
        Buffer.from([0xff, 0x22, 0x7d]),
      ]),
      "UTF-8 of a half pair": Buffer.concat([
        Buffer.from(`${open},"description":"`),
        Buffer.from([0xed, 0xa0, 0x80, 0x22, 0x7d]),
      ]),
      "UTF-16": Buffer.from(text, "utf16le"),
      "deep arrays": `${open},"metadata":{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}}`,
      "deep objects": `${open},"metadata":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`,
      "deep and never closed": "[".repeat(500_000),
      "__proto__ at the root": `${open},"__proto__":{"amount":1}}`,
      "__proto__ escaped": `${open},"\\u005f_proto__":{"amount":1}}`,
      "__proto__ in metadata": `${open},"metadata":{"a":[{"__proto__":{"b":1}}]}}`,
      "constructor.prototype": `${open},"metadata":{"constructor":{"prototype":{"b":1}}}}`,
    };
    const answers: string[] = [];
    for (const [name, body] of Object.entries(bodies)) {
      const answer = await sendRaw(service, company, body);
      const problem = (await answer.json()) as { statusCode: number; code: string };
      answers.push(`${name}: ${answer.status} ${problem.statusCode}`);
      expect(["invalid_json", "invalid_request"], name).toContain(problem.code);
    }

    expect(answers).toEqual(Object.keys(bodies).map((name) => `${name}: 400 400`));
    expect(({} as { amount?: number }).amount).toBeUndefined();
    await expectNothingWritten(service, company);
  });

  test("405: other methods, with those it answers to in Allow", async ({ service, company }) => {
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const answer = await service.call(method, path, { token: company.accessToken });
      expect([answer.status, answer.body.code], method).toEqual([405, "method_not_allowed"]);
      expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(["GET", "HEAD", "POST"]);
    }
  });

  test("413: a body above 1 MB, announced or streamed; just below it is read", async ({
    service,
    company,
  }) => {
    const streamed = new Blob([padded(1024 * 1024 + 1)]).stream();
    for (const body of [padded(1024 * 1024 + 1), padded(3 * 1024 * 1024), streamed]) {
      const answer = await sendRaw(service, company, body);
      expect(answer.status).toBe(413);
      expect(await answer.json()).toMatchObject({
        statusCode: 413,
        error: "Payload Too Large",
        code: "body_too_large",
        message: expect.stringMatching(/^The body is larger than 1 MB, the most/),
      });
    }
    await expectNothingWritten(service, company);
    expect((await sendRaw(service, company, padded(1024 * 1024))).status).toBe(201);
  });

  test("415: a body that does not say it is JSON", async ({ service, company }) => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/xml",
      null,
    ]) {
      const answer = await sendRaw(service, company, Buffer.from(JSON.stringify(request)), type);
      expect(answer.status, String(type)).toBe(415);
      expect(await answer.json()).toMatchObject({
        statusCode: 415,
        error: "Unsupported Media Type",
        code: "unsupported_media_type",
      });
    }
    await expectNothingWritten(service, company);
    for (const [index, type] of ["application/json; charset=utf-8", "Application/JSON"].entries()) {
      const body = JSON.stringify({ ...request, reference: `typed ${index}` });
      expect((await sendRaw(service, company, body, type)).status, type).toBe(201);
    }
  });
});

function send(service: TestService, company: TestCompany, body: string) {
  return service.call("POST", path, { token: company.accessToken, body });
}

function sendRaw(
  service: TestService,
  company: TestCompany,
  body: string | Uint8Array | ReadableStream,
  type: string | null = "application/json",
) {
  return fetch(service.url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${company.accessToken}`,
      ...(type === null ? {} : { "content-type": type }),
    },
    body: body as BodyInit,
    ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
  });
}

/** A good body of so many bytes, most of them in a field that is ignored. */
function padded(bytes: number): string {
  const { length } = JSON.stringify({ ...request, note: "" });
  return JSON.stringify({ ...request, note: "x".repeat(bytes - length) });
}

function fieldsOf(problem: { details?: readonly { field: string }[] }): string {
  return [...new Set((problem.details ?? []).map(({ field }) => field))].toSorted().join(",");
}

async function expectNothingWritten(service: TestService, { accessToken: token }: TestCompany) {
  expect((await service.call("GET", path, { token })).body.data).toEqual([]);
  expect((await service.call("GET", "/v1/balance", { token })).body.balance).toBe(1_000_000);
}
