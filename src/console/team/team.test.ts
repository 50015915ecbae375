import { describe, expect } from "vitest";
import { ConsoleClient, signIn } from "../../../test/console.ts";
import { box, makeCompany, test } from "../../../test/fixtures.ts";
import { textOf } from "../../../test/pay-page.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { findPersonByEmail } from "../../staff/people.ts";
import { companyRoles } from "../../staff/roles.ts";
import { pendingSecret } from "../../staff/second-factor.ts";
import { formTokenOf } from "../../staff/sessions.ts";
import { stepAt, totpCodeAt } from "../../staff/totp.ts";

const password = "le marché ouvre à sept heures";
const cookieIn = (headers: Readonly<Record<string, unknown>>) =>
  [headers["set-cookie"]]
    .flat()
    .join(";")
    .match(/cauri_console=([\w-]+)/)?.[1] ?? "";

test("from the invitation over password and second factor to the team", async ({
  db,
  service,
  company,
}) => {
  const owner = await signIn(db, company.id, "owner");
  const client = new ConsoleClient(service, owner);
  const email = "fatou@shop.example";

  const made = await client.post("/console/team/invite", { email, role: "approver" });
  const path = /\/console\/join\/[\w-]{43}/.exec(made.text)?.[0] ?? "";
  const nobody = new ConsoleClient(service, undefined);
  expect((await nobody.get(path)).text).toContain("Rejoindre Test");
  const asNew = (chosen: string) => ({ as: "new", password: chosen, repeat: chosen });
  const weak = await nobody.post(path, asNew("motdepasse2026"));
  expect([weak.status, weak.text.includes("trop facile")]).toEqual([422, true]);
  const joined = await nobody.post(path, asNew(password));
  expect(joined.location).toBe("/console/companies");
  expect((await nobody.get(path)).status).toBe(404);

  const sessionToken = cookieIn(joined.headers);
  const person = await findPersonByEmail(db.database, email);
  if (person === undefined) throw new Error("the person is there");
  const who = {
    personId: person.id,
    email,
    sessionToken,
    formToken: formTokenOf(sessionToken, company.id),
  };
  const fatou = new ConsoleClient(service, who);
  // Nothing opens before a second owner has confirmed it.
  expect((await fatou.get("/console/team")).location).toBe("/console/companies");
  expect(textOf((await fatou.get("/console/companies")).text)).toContain(
    "Un second propriétaire ou l’opérateur doit encore confirmer",
  );
  const request = /\/console\/team\/requests\/req_\w+/.exec(
    (await client.get("/console/team")).text,
  );
  const address = request?.[0] ?? "";
  const own = await client.get(address);
  expect(textOf(own.text)).toContain("cauri staff confirm req_");
  expect(own.text).not.toContain(`${address}/confirm`);
  await client.post(`${address}/confirm`);
  expect((await fatou.get("/console/team")).location).toBe("/console/companies");
  const second = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  expect((await second.get(address)).text).toContain(`${address}/confirm`);
  expect((await second.post(`${address}/confirm`)).location).toBe("/console/team");
  await fatou.post("/console/companies", { company: toPublicId("com", company.id) });
  // Before anything else.
  expect((await fatou.get("/console/team")).location).toBe("/console/second-factor");
  const secret = pendingSecret(box, sessionToken, person);
  const set = await fatou.post("/console/second-factor", {
    code: totpCodeAt(secret, stepAt(new Date())),
  });
  expect(set.text.match(/(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}/g)).toHaveLength(10);
  const team = await fatou.get("/console/team");
  expect([team.status, team.text.includes(owner.email)]).toEqual([200, true]);

  const halfIn = await nobody.post("/console/login", { email, password });
  expect(halfIn.location).toBe("/console/login/code");
  const halfToken = cookieIn(halfIn.headers);
  const half = new ConsoleClient(service, {
    ...who,
    sessionToken: halfToken,
    formToken: formTokenOf(halfToken),
  });
  expect((await half.get("/console/team")).location).toBe("/console/login/code");
  const code = totpCodeAt(secret, stepAt(new Date()) + 1);
  const opened = await half.post("/console/login/code", { code });
  expect(opened.location).toBe("/console");
  expect(cookieIn(opened.headers)).not.toBe(halfToken);
});

describe("what owners alone may", () => {
  test("is refused in words to every other role, and changes nothing", async ({
    db,
    service,
    company,
  }) => {
    const owner = await signIn(db, company.id, "owner");
    const id = toPublicId("per", owner.personId);
    for (const role of companyRoles.filter((one) => one !== "owner")) {
      const client = new ConsoleClient(service, await signIn(db, company.id, role));
      const answers = [
        await client.get(`/console/team/people/${id}`),
        await client.post("/console/team/invite", { email: "x@y.example", role: "owner" }),
        await client.post(`/console/team/people/${id}/role`, { role: "reader" }),
        await client.post(`/console/team/people/${id}/remove`),
      ];
      expect(
        answers.map(({ status }) => status),
        role,
      ).toEqual([403, 403, 403, 403]);
      expect(answers[0]?.text).toContain("Vous n’avez pas ce droit");
    }
    expect((await new ConsoleClient(service, owner).get("/console/team")).status).toBe(200);
  });

  test("another company's person is nobody", async ({ db, service, company }) => {
    const other = await makeCompany(db.database, { name: "Other" });
    const stranger = await signIn(db, other.id, "owner");
    const client = new ConsoleClient(service, await signIn(db, company.id, "owner"));
    const id = toPublicId("per", stranger.personId);
    const unknown = toPublicId("per", company.id);

    for (const one of [id, unknown, "per_x"]) {
      expect((await client.get(`/console/team/people/${one}`)).status).toBe(404);
      expect((await client.post(`/console/team/people/${one}/remove`)).status).toBe(404);
    }
    expect((await new ConsoleClient(service, stranger).get("/console/team")).status).toBe(200);
  });
});

test("whoever is removed is out on every node at once, and the trail says by whom", async ({
  db,
  service,
  company,
}) => {
  const owner = new ConsoleClient(service, await signIn(db, company.id, "owner", "o@shop.example"));
  const gone = await signIn(db, company.id, "reader");
  const client = new ConsoleClient(service, gone);
  expect((await client.get("/console/team")).status).toBe(200);

  await owner.post(`/console/team/people/${toPublicId("per", gone.personId)}/remove`);

  expect((await client.get("/console/team")).location).toMatch(/^\/console\/login/);
  const trail = await owner.get("/console/trail?kind=member");
  expect(trail.text).toContain("member.removed");
  expect(textOf(trail.text)).toContain("Personne retirée");
  expect(textOf(trail.text)).toContain("rôle : ");
  expect(trail.text.replaceAll("<wbr/>", "")).toContain("o@shop.example");
  const csv = await owner.get("/console/trail/export?kind=member");
  expect(csv.headers["content-type"]).toMatch(/^text\/csv/);
  expect(csv.text.split("\r\n")[1]).toContain("member.removed");
  expect((await owner.get("/console/trail?from=yesterday")).status).toBe(422);
});

test("the last owner cannot be removed, nor become less", async ({ db, service, company }) => {
  const who = await signIn(db, company.id, "owner");
  const client = new ConsoleClient(service, who);
  const id = toPublicId("per", who.personId);

  await client.post(`/console/team/people/${id}/remove`);
  expect((await client.get("/console/team")).text).toContain("dernier propriétaire");
  await client.post(`/console/team/people/${id}/role`, { role: "reader" });
  expect((await client.get("/console/team")).text).toContain("dernier propriétaire");
});

test("a session is ended from another one; nobody ends a stranger's", async ({
  db,
  service,
  company,
}) => {
  const first = await signIn(db, company.id, "reader", "r@shop.example");
  const second = await signIn(db, company.id, "reader", "r@shop.example");
  const stranger = await signIn(db, company.id, "owner");
  const client = new ConsoleClient(service, second);
  const listed = await client.get("/console/team/account");
  const id = /name="session" value="([^"]+)"/.exec(listed.text)?.[1] ?? "";

  const foreign = await new ConsoleClient(service, stranger).post("/console/team/account/end", {
    session: id,
  });
  expect(foreign.status).toBe(404);
  expect((await new ConsoleClient(service, first).get("/console/team")).status).toBe(200);
  await client.post("/console/team/account/end", { session: id });

  expect((await new ConsoleClient(service, first).get("/console/team")).status).toBe(303);
});
