import { describe, expect } from "vitest";
import { ConsoleClient, letIdle, signIn } from "../../test/console.ts";
import { makeCompany, test } from "../../test/fixtures.ts";

describe("whoever has no session", () => {
  test("is sent to sign in, and back afterwards", async ({ service }) => {
    const answer = await new ConsoleClient(service, undefined).get("/console/companies");

    expect(answer.status).toBe(303);
    expect(answer.location).toMatch(/^\/console\/login/);
  });

  test("a session ends after half an hour without a page", async ({ db, service, company }) => {
    const who = await signIn(db, company.id, "owner");
    const client = new ConsoleClient(service, who);
    await letIdle(db.database, who, 29);
    expect((await client.get("/console/companies")).status).toBe(200);

    await letIdle(db.database, who, 31);

    expect((await client.get("/console/companies")).status).toBe(303);
  });
});

test("a form with a foreign token or from another site changes nothing", async ({
  db,
  service,
  company,
}) => {
  const other = await makeCompany(db.database, { name: "Other" });
  const who = await signIn(db, company.id, "owner");
  await signIn(db, other.id, "reader", who.email);
  const client = new ConsoleClient(service, who);
  const fields = { company: `com_${other.id.replaceAll("-", "")}` };

  const stale = await client.post("/console/companies", { ...fields, token: "x".repeat(43) });
  const foreign = await new ConsoleClient(service, who, {
    origin: "https://evil.example",
  }).post("/console/companies", fields);

  expect([stale.status, foreign.status]).toEqual([403, 403]);
  expect((await client.post("/console/companies", fields)).status).toBe(303);
});

test("nobody chooses a company that is not theirs", async ({ db, service, company }) => {
  const other = await makeCompany(db.database, { name: "Other" });
  const client = new ConsoleClient(service, await signIn(db, company.id, "owner"));

  const answer = await client.post("/console/companies", {
    company: `com_${other.id.replaceAll("-", "")}`,
  });

  expect(answer.status).toBe(404);
  expect((await client.get("/console/companies")).text).not.toContain("Other");
});
