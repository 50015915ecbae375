import type { FastifyRequest } from "fastify";
import { describe, expect, onTestFinished } from "vitest";
import { chargeRequest } from "../../test/charges.ts";
import {
  type Answer,
  auditDifferences,
  startService,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";
import { readIdempotencyKey } from "../idempotency/idempotency-key.ts";

const composed = "salaire-\u00e9t\u00e9-\u00c5";
const decomposed = composed.normalize("NFD");
/** The sign of ångström, which NFC makes a letter of. */
const mixed = "salaire-\u00e9te\u0301-\u212b";
const forms = [composed, decomposed, mixed];

const transferOf = (reference: string) => ({
  type: "transfer",
  amount: 5_000,
  msisdn: "2250700000000",
  reference,
});

/** Transfers and charges have the same rules for what their callers name them. */
const kinds = [
  {
    path: "/v1/transactions",
    field: "reference",
    code: "duplicate_reference",
    bodyOf: transferOf,
    spoil: sql`alter table transfers drop constraint transfers_reference_in_nfc`,
    storeAsWritten: (written: string) => sql`
      insert into transfers (company_id, id, amount, fee, msisdn, msisdn_has_plus, reference)
      select company_id, gen_random_uuid(), 5000, 0, '2250700000000', false, ${written} from companies
      returning 'txn_' || replace(id::text, '-', '') as id`,
  },
  {
    path: "/v1/charges",
    field: "externalId",
    code: "duplicate_external_id",
    bodyOf: (externalId: string) => ({ ...chargeRequest, externalId }),
    spoil: sql`alter table charges drop constraint charges_external_id_in_nfc`,
    storeAsWritten: (written: string) => sql`
      insert into charges (company_id, id, external_id, description, amount, fee, fee_rate_ppm,
        on_canceled_redirection_url, on_completed_redirection_url, created_at, updated_at, expires_at)
      select company_id, gen_random_uuid(), ${written}, 'x', 5000, 0, 0, 'https://x.example', 'https://x.example', now(), now(), now()
      from companies returning id::text as id`,
  },
] as const;

const postTo = (service: TestService, { accessToken: token }: TestCompany, path: string) => {
  return (body: unknown): Promise<Answer> => service.call("POST", path, { token, body });
};

describe.each(kinds)("$path: one $field, however it is written", (kind) => {
  test.for(forms)(
    "409 with the id of the first, which is answered as it was written: %j",
    async (first, { db, service, company }) => {
      const post = postTo(service, company, kind.path);
      const { accessToken: token } = company;
      const made = await post(kind.bodyOf(first));
      expect([made.status, made.body[kind.field]]).toEqual([201, first]);
      for (const other of forms) {
        const { status, body } = await post(kind.bodyOf(other));
        expect([status, body.code, body.details[0].id]).toEqual([409, kind.code, made.body.id]);
        const query = new URLSearchParams({ [kind.field]: other }).toString();
        const found = await service.call("GET", `${kind.path}?${query}`, { token });
        expect(found.body.data.map((one: { id: string }) => one.id)).toEqual([made.body.id]);
        expect(found.body.data[0][kind.field]).toBe(first);
      }
      expect(
        (await service.call("GET", `${kind.path}/${made.body.id}`, { token })).body[kind.field],
      ).toBe(first);
      expect(await auditDifferences(db.database)).toEqual([]);
    },
  );

  test("one of all forms that race on two nodes is made", async ({ db, service, company }) => {
    const other = await startService(db);
    onTestFinished(() => other.stop());
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(
        [...forms, ...forms].flatMap((form) =>
          [service, other].map((node) =>
            postTo(node, company, kind.path)(kind.bodyOf(`${form}-${round}`)),
          ),
        ),
      );
      const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses).toEqual([201, ...Array.from({ length: 11 }, () => 409)]);
      const made = answers.find(({ status }) => status === 201)?.body.id;
      for (const { status, body } of answers)
        if (status === 409) expect(body.details[0].id).toBe(made);
    }
  });

  test("what an earlier release has stored is found, and stays taken", async ({
    db,
    service,
    company,
  }) => {
    await db.database.query(kind.spoil);
    const [stored] = await db.database.query<{ id: string }>(kind.storeAsWritten(decomposed));
    const { accessToken: token } = company;
    const post = postTo(service, company, kind.path);
    for (const other of [composed, decomposed]) {
      const { status, body } = await post(kind.bodyOf(other));
      expect([status, body.details?.[0].id]).toEqual([409, stored?.id]);
      const query = new URLSearchParams({ [kind.field]: other }).toString();
      const found = await service.call("GET", `${kind.path}?${query}`, { token });
      expect(found.body.data[0]).toMatchObject({ id: stored?.id, [kind.field]: decomposed });
    }
    expect((await post(kind.bodyOf(`${composed} 2`))).status).toBe(201);
  });

  test("what an earlier release has taken with blanks and control characters is read, found and answered again", async ({
    db,
    service,
    company,
  }) => {
    const { accessToken: token } = company;
    const [stored] = await db.database.query<{ id: string }>(kind.storeAsWritten("old\n "));
    const query = new URLSearchParams({ [kind.field]: "old\n " }).toString();
    const found = await service.call("GET", `${kind.path}?${query}`, { token });
    expect(found.body.data[0]).toMatchObject({ id: stored?.id, [kind.field]: "old\n " });

    // Kept by an earlier release: the same request under the same key, with a body that is refused now.
    const headers = { "idempotency-key": "k1" };
    const made = await service.call("POST", kind.path, {
      token,
      headers,
      body: kind.bodyOf("new"),
    });
    const body = kind.bodyOf("old ");
    const route = { method: "POST", route: { url: kind.path }, params: {} };
    const key = readIdempotencyKey({ ...route, headers, body } as unknown as FastifyRequest);
    await db.database.query(sql`
      update idempotency_keys set request_hash = ${key?.requestHash} where key = 'k1'`);
    const again = await service.call("POST", kind.path, { token, headers, body });
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(again.body).toStrictEqual(made.body);
    const other = await service.call("POST", kind.path, {
      token,
      headers,
      body: kind.bodyOf("other "),
    });
    expect([other.status, other.body.details[0].field]).toEqual([400, kind.field]);
  });

  test("the database refuses a row that is not in the form of comparison", async ({
    db,
    company,
  }) => {
    expect(company.id).not.toBe("");
    await expect(db.database.query(kind.storeAsWritten(decomposed))).rejects.toThrow(/_in_nfc/);
  });
});

describe("a batch", () => {
  const batch = (references: readonly string[]) => ({ transactions: references.map(transferOf) });

  test("409: the same reference in two forms, and one that is used", async ({
    db,
    service,
    company,
  }) => {
    const post = postTo(service, company, "/v1/transactions/batch");
    const twice = await post(batch(["a", composed, decomposed]));
    expect([twice.status, twice.body.details]).toMatchObject([409, [{ index: 2 }]]);
    const made = await post(batch(["b", decomposed]));
    expect(made.status).toBe(201);
    expect(made.body.transactions[1].reference).toBe(decomposed);
    const used = await post(batch(["c", composed]));
    const { id } = made.body.transactions[1];
    expect([used.status, used.body.details]).toMatchObject([409, [{ index: 1, id }]]);
    await expectUnsent(db, ["a", "c"]);
  });

  test("409: a reference that an earlier release has stored in another form", async ({
    db,
    service,
    company,
  }) => {
    const [kind] = kinds;
    await db.database.query(kind.spoil);
    await db.database.query(kind.storeAsWritten(decomposed));
    const { status, body } = await postTo(
      service,
      company,
      "/v1/transactions/batch",
    )(batch(["d", composed]));
    expect([status, body.details]).toMatchObject([409, [{ index: 1 }]]);
    await expectUnsent(db, ["d"]);
  });

  async function expectUnsent({ database }: TestDatabase, references: readonly string[]) {
    const rows = await database.query(sql`
      select 1 from transfers where reference = any (${references}::text[])`);
    expect(rows).toEqual([]);
  }
});

test("POST /v1/transactions/lookup finds a transfer by any form of its reference", async ({
  service,
  company,
}) => {
  const made = await postTo(service, company, "/v1/transactions")(transferOf(composed));
  for (const form of forms) {
    const { body } = await postTo(
      service,
      company,
      "/v1/transactions/lookup",
    )({
      references: [form, "other"],
    });
    expect(body.data.map((one: { id: string }) => one.id)).toEqual([made.body.id]);
  }
});
