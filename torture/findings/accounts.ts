import type { Site } from "../cost/site.ts";
import { Company } from "./company.ts";
import { type Finding, good, type Observation } from "./finding.ts";
import { employ, linkOn, Person } from "./person.ts";

/** Links that grant something: to whom, and for how long. */
export const accountFindings: readonly Finding[] = [
  {
    name: "2 takeover after a reset",
    promise:
      "Somebody who was reset is let in by the operator's link alone: no invitation of a stranger's company chooses a password for them, nor tells whether they have one.",
    reproduce: async (site) => {
      const stranger = await Company.make(site, "Stranger");
      const owner = await employ(site, stranger.id, "owner", "owner@stranger.example");
      const victims = await Company.make(site, "Victim");
      return [
        ...(await takeOver(site, owner, victims.id, "owner", "owner@victim.example")),
        ...(await takeOver(site, owner, victims.id, "operator", "operator@operator.example")),
      ];
    },
  },
  {
    name: "8 the way back of a removed owner",
    promise:
      "Nobody invites themselves, and whoever is removed takes along the links to them and the links they made.",
    reproduce: async (site) => {
      const company = await Company.make(site, "Two owners");
      const [first, second] = [
        await employ(site, company.id, "owner", "first@owners.example"),
        await employ(site, company.id, "owner", "second@owners.example"),
      ];
      const own = await invite(second, second.email, "owner");
      const friend = new Person(site, "friend@owners.example");
      const friends = await invite(second, friend.email, "reader");
      await remove(first, second.email);
      if (own !== undefined) await second.joinWithPassword(own);
      await second.enterCode();
      const mayInvite = (await second.browser.get("/console/team")).text.includes("/team/invite");
      const joined = friends === undefined ? undefined : await friend.join(friends);
      return [
        good(own === undefined, `an owner ${own ? "invites" : "cannot invite"} themselves`),
        good(!mayInvite, `after the removal that owner ${mayInvite ? "invites again" : "is out"}`),
        good(
          joined?.status !== 303,
          `the friend whom the removed owner invited is answered ${joined?.status ?? "nothing"}`,
        ),
      ];
    },
  },
];

/** An owner of another company has invited somebody, whom the operator then resets. */
async function takeOver(
  site: Site,
  owner: Person,
  companyId: string,
  role: string,
  email: string,
): Promise<Observation[]> {
  const victim = await employ(site, companyId, role, email);
  const before = (await invite(owner, email, "reader")) ?? "";
  const unknown = (await invite(owner, `un${email}`, "reader")) ?? "";
  const [shown, shownToUnknown] = [
    await describe(site, before, email),
    await describe(site, unknown, `un${email}`),
  ];
  const reset = await site.command(["staff", "reset", email, "--yes", "--json"]);
  const taken = [await tryAsNew(site, email, before)];
  const afterwards = await invite(owner, email, "reader");
  if (afterwards !== undefined) taken.push(await tryAsNew(site, email, afterwards));
  const back = await new Person(site, victim.email).join(linkOn(JSON.stringify(reset)) ?? "");
  return [
    good(
      shown === shownToUnknown,
      `the link's page ${shown === shownToUnknown ? "is the same for" : "tells apart"} known and unknown addresses`,
    ),
    good(
      taken.every((one) => !one.includes("let in")),
      `the stranger chooses a password for the ${role}: ${taken.join("; ")}`,
    ),
    good(back.status === 303, `the ${role} uses the operator's link: ${back.status}`),
  ];
}

async function tryAsNew(site: Site, email: string, link: string): Promise<string> {
  const thief = new Person(site, email);
  const { status } = await thief.join(link);
  return `${status}${(await thief.isSignedIn()) ? ", and is let in" : ""}`;
}

/** What a link's page says to whoever only looks at it, without what no two links share. */
async function describe(site: Site, link: string, email: string): Promise<string> {
  const { status, text } = await new Person(site, email).browser.get(link);
  const own = [email, link.split("/").at(-1) ?? ""];
  const shared = own.reduce((rest, part) => rest.replaceAll(part, ""), text);
  return `${status} ${shared.replaceAll(/nonce="[^"]*"|\d\d:\d\d/g, "")}`;
}

/** The link that the inviter is shown; undefined: it was refused. */
async function invite(owner: Person, email: string, role: string): Promise<string | undefined> {
  const page = await owner.submit("/console/team", "/team/invite", { email, role });
  return page.status === 200 ? linkOn(page.text) : undefined;
}

async function remove(owner: Person, email: string): Promise<void> {
  const { text } = await owner.browser.get("/console/team");
  for (const path of new Set(text.match(/\/console\/team\/people\/\w+/g))) {
    const page = await owner.browser.get(path);
    if (!page.text.includes(email)) continue;
    const { status } = await owner.submit(path, "/remove", {});
    if (status !== 303) throw new Error(`${email} cannot be removed: ${status}`);
    return;
  }
  throw new Error(`${email} is not in the team`);
}
