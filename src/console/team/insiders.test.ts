import { expect } from "vitest";
import { giveAuthenticator } from "../../../test/authenticator.ts";
import { ConsoleClient, type SignedIn, signIn } from "../../../test/console.ts";
import { deskOf, somebody, transferOf } from "../../../test/desk.ts";
import { test } from "../../../test/fixtures.ts";
import { cookieIn } from "../../../test/passkey-pages.ts";
import { getProposal } from "../../approvals/find-proposals.ts";
import { proposalIdPrefix } from "../../approvals/proposal.ts";
import { propose } from "../../approvals/propose.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { findPersonByEmail, membershipsOf } from "../../staff/people.ts";
import { formTokenOf } from "../../staff/sessions.ts";

const password = "le marché ouvre à sept heures";
const asNew = { as: "new", password, repeat: password };
const linkIn = (text: string) =>
  /\/console\/join\/[\w-]{43}/.exec(text)?.[0] ?? "/console/join/none";

test("an owner who invites a second self approves nothing with it", async ({
  db,
  service,
  company,
}) => {
  const owner = await signIn(db, company.id, "owner");
  const client = new ConsoleClient(service, owner);
  const email = "awa.too@mail.example";
  const invited = await client.post("/console/team/invite", { email, role: "owner" });
  const joined = await new ConsoleClient(service, undefined).post(linkIn(invited.text), asNew);
  const sessionToken = cookieIn(joined, "cauri_console");
  const personId = (await findPersonByEmail(db.database, email))?.id ?? "";
  const self: SignedIn = { personId, email, sessionToken, formToken: formTokenOf(sessionToken) };
  const code = await giveAuthenticator(db.database, self);
  const { id, hash } = await propose(deskOf(db.database), {
    companyId: company.id,
    by: somebody(owner.personId),
    title: "Loyer",
    asked: transferOf("rent", 400_000),
  });
  const path = `/console/approvals/${toPublicId(proposalIdPrefix, id)}`;
  const second = new ConsoleClient(service, self);

  const opened = await second.post("/console/companies", {
    company: toPublicId("com", company.id),
  });
  expect(opened.status).toBe(404);
  const sent = await second.post(`${path}/approve`, { hash, code: await code() });

  expect(sent.location).toBe("/console/companies");
  expect(await getProposal(db.database, company.id, id)).toMatchObject({
    state: "waiting",
    decision: null,
  });
});

test("an owner who was removed does not come back by a link to the own address", async ({
  db,
  service,
  company,
}) => {
  const first = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  const second = await signIn(db, company.id, "owner", "second@shop.example");
  const own = await new ConsoleClient(service, second).post("/console/team/invite", {
    email: second.email,
    role: "owner",
  });
  expect([own.status, own.text.includes("/console/join/")]).toEqual([422, false]);
  const others = await new ConsoleClient(service, second).post("/console/team/invite", {
    email: "self@mail.example",
    role: "owner",
  });

  await first.post(`/console/team/people/${toPublicId("per", second.personId)}/remove`);

  const visitor = new ConsoleClient(service, undefined);
  expect((await visitor.get(linkIn(others.text))).status).toBe(404);
  expect((await visitor.post(linkIn(others.text), asNew)).status).toBe(404);
  expect(await membershipsOf(db.database, second.personId)).toEqual([]);
});
