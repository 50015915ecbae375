import type { Site } from "../cost/site.ts";
import { approve, Company, propose } from "./company.ts";
import { type Finding, good, type Observation } from "./finding.ts";
import { employ, invitation, linkOn, Person } from "./person.ts";

const amount = 400_000;
const heldPath = "/console/approvals/held";

/** Who pays out takes a second person, or at least a second factor. */
export const fourEyesFindings: readonly Finding[] = [
  {
    name: "5 one owner is two people",
    promise:
      "An owner who invites a second self gains nothing: it decides about nothing before another power has confirmed it, and never about what its inviter prepared.",
    reproduce: async (site) => {
      const company = await Company.make(site, "One owner");
      const owner = await employ(site, company.id, "owner", "owner@alone.example");
      const invited = await owner.submit("/console/team", "/team/invite", {
        email: "second@alone.example",
        role: "owner",
      });
      const second = new Person(site, "second@alone.example");
      await second.join(linkOn(invited.text) ?? "");
      await second.addFactor();
      const early = await payAlone(company, owner, second, "unconfirmed");
      await confirmAll(site, company.id);
      const isOwner = await comeIn(second);
      const late = await payAlone(company, owner, second, "confirmed");
      return [
        ...early,
        good(isOwner, `the second owner, once confirmed, ${isOwner ? "is" : "is not"} in the team`),
        ...late,
      ];
    },
  },
  {
    name: "6 a key without a second factor",
    promise: "A developer with a password alone makes no key.",
    reproduce: async (site) => {
      const company = await Company.make(site, "Developers");
      const email = "developer@developers.example";
      const developer = new Person(site, email);
      await developer.join(await invitation(site, company.id, "developer", email));
      const made = await developer.browser.post(
        "/console/developers/keys",
        new URLSearchParams({ token: await developer.formToken(), name: "Boutique" }),
      );
      const [, key] = /class="secret">([^<]+)</.exec(made.text) ?? [];
      const isKey = made.status === 200 && key !== undefined;
      const paid = isKey ? await company.send("without-factor", amount, key) : undefined;
      const seen = `a developer with a password asks for a key: ${made.status}`;
      return [good(!isKey, isKey ? `${seen}, which pays ${amount}: ${paid?.status}` : seen)];
    },
  },
];

/** The owner prepares, by hand and by key; the second self approves. */
async function payAlone(
  company: Company,
  owner: Person,
  second: Person,
  name: string,
): Promise<Observation[]> {
  const asked = await propose(owner, `asked-${name}`, String(amount));
  await approve(second, asked, await owner.browser.get(asked));
  const paid = await company.statusOf(`asked-${name}`);
  await company.set("--keys-alone-max", "1000");
  const keys = await owner.submit("/console/developers", "/developers/keys", { name });
  const [, key = ""] = /class="secret">([^<]+)</.exec(keys.text) ?? [];
  const sent = await company.send(`held-${name}`, 5_000, key);
  if (sent.status !== 201) throw new Error(`the owner's key sends nothing: ${sent.text}`);
  await approve(second, heldPath, await owner.browser.get(heldPath));
  const { text } = await owner.browser.get(heldPath);
  const isHeld = text.includes(`held-${name}`);
  return [
    good(paid === undefined, `${name}: what the owner asked for is ${paid ?? "not paid"}`),
    good(isHeld, `${name}: what the owner's key sent is ${isHeld ? "held" : "let go"}`),
  ];
}

/** Whoever was confirmed signs in anew, and then manages the team. */
async function comeIn(person: Person): Promise<boolean> {
  const team = () => person.browser.get("/console/team");
  if ((await team()).status !== 200) {
    await person.signIn();
    await person.enterCode();
  }
  return (await team()).text.includes("/team/invite");
}

/** The operator confirms whatever an owner asked for; a release without such requests has nothing to confirm. */
async function confirmAll(site: Site, companyId: string): Promise<void> {
  const listed = await site.run(["staff", "requests", "--company", companyId, "--json"]);
  for (const id of new Set(listed.stdout.match(/\breq_\w+/g)))
    await site.command(["staff", "confirm", id, "--json"]);
}
