import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Site } from "../cost/site.ts";
import { Browser, type Page } from "./browser.ts";
import { approve, Company, propose } from "./company.ts";
import { type Finding, good } from "./finding.ts";
import { employ, invitation, newAddress, Person, password } from "./person.ts";

/** One more than a stranger has. */
const wrongTries = 11;
const uploadsHeld = 4;

/** Nobody keeps somebody else from their work. */
export const lockoutFindings: readonly Finding[] = [
  {
    name: "11 an approver who cannot approve",
    promise:
      "Whoever knows an approver's password alone does not keep that approver from approving.",
    reproduce: async (site) => {
      const company = await Company.make(site, "Approvals");
      const preparer = await employ(site, company.id, "preparer", "preparer@approvals.example");
      const approver = await employ(site, company.id, "approver", "approver@approvals.example");
      const asked = await propose(preparer, "approved-anyway", "5000");
      const thief = new Person(site, approver.email);
      await thief.signIn();
      const path = "/console/login/code";
      let last: Page = await thief.browser.get(path);
      for (let tried = 0; tried < wrongTries; tried += 1) {
        const page = await thief.browser.get(path);
        last = await thief.browser.submit(page, path, { code: "000000" });
      }
      await approve(approver, asked, await approver.browser.get(asked));
      const status = await company.statusOf("approved-anyway");
      return [
        good(last.status === 429, `a thief's wrong codes end with ${last.status}`),
        good(status !== undefined, `what the approver then approves is ${status ?? "not paid"}`),
      ];
    },
  },
  {
    name: "13 wrong tries of a stranger",
    promise:
      "A stranger's wrong passwords keep nobody who is signed in from changing theirs, nor from joining by a link with the right one.",
    reproduce: async (site) => {
      const [company, other] = [
        await Company.make(site, "Tried"),
        await Company.make(site, "Tried too"),
      ];
      const reader = new Person(site, "reader@tried.example");
      await reader.join(await invitation(site, company.id, "reader", reader.email));
      const link = await invitation(site, other.id, "reader", reader.email);
      const stranger = new Person(site, reader.email);
      for (let tried = 0; tried < wrongTries; tried += 1) await stranger.signIn("a wrong one");
      const joining = new Person(site, reader.email);
      const joined = await joining.joinWithPassword(link);
      const isIn = joined.status === 303 && (await joining.isSignedIn());
      const chosen = "une autre longue phrase de personne";
      const changed = await reader.submit("/console/team/account", "/account/password", {
        current: password,
        password: chosen,
        repeat: chosen,
      });
      return [
        good(changed.status === 303, `signed in, changes the password: ${changed.status}`),
        good(isIn, `joins by a link with the right password: ${joined.status}`),
      ];
    },
  },
  {
    name: "14 slow uploads",
    promise: "Files of one company that never arrive hold up no other company's.",
    reproduce: async (site) => {
      const [slow, other] = [await Company.make(site, "Slow"), await Company.make(site, "Other")];
      const holder = await employ(site, slow.id, "owner", "owner@slow.example");
      const owner = await employ(site, other.id, "owner", "owner@other.example");
      const token = await holder.formToken();
      const sockets: Socket[] = [];
      try {
        for (let held = 0; held < uploadsHeld; held += 1)
          sockets.push(await beginUpload(site, holder, token));
        // They have come before the other one does.
        await sleep(500);
        const { location } = await upload(owner);
        const isRead = location.includes("/drafts/");
        return [good(isRead, `beside ${uploadsHeld} slow ones a file leads to ${location}`)];
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    },
  },
];

/** From three networks, each within what one address may try. */
const floodTries = 58;
const floodNetworks = 3;

/** Last of all: it leaves a queue of passwords behind. */
export const crowdFindings: readonly Finding[] = [
  {
    name: "9 nobody can sign in",
    promise:
      "Strangers who send wrong passwords from several networks do not keep somebody out who comes from a known browser.",
    reproduce: async (site) => {
      // Whatever came before may have left it short of memory, and a release that falls falls here by its queue alone.
      await site.restart();
      const company = await Company.make(site, "Crowd");
      const email = "reader@crowd.example";
      const reader = new Person(site, email);
      await reader.join(await invitation(site, company.id, "reader", email));
      const hangUp = new AbortController();
      let tellRefused = () => {};
      const isRefused = new Promise<void>((resolve) => {
        tellRefused = resolve;
      });
      const flood = Array.from({ length: floodNetworks }, newAddress).flatMap((address, network) =>
        Array.from({ length: floodTries }, async (_, place) => {
          const fields = { email: `nobody-${network}-${place}@crowd.example`, password: "wrong" };
          const body = new URLSearchParams(fields);
          const browser = new Browser(site.url, address);
          const page = await browser
            .post("/console/login", body, hangUp.signal)
            .catch(() => undefined);
          if (page?.status === 429) tellRefused();
        }),
      );
      // As many wait as can, when the first is turned away.
      const all = Promise.all(flood);
      await Promise.race([all, isRefused]);
      const { status } = await reader.signIn();
      hangUp.abort();
      await all;
      return [good(status === 303, `from a known browser, with the right password: ${status}`)];
    },
  },
];

async function beginUpload(site: Site, { browser }: Person, token: string): Promise<Socket> {
  const { hostname, port, host } = new URL(site.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(
    [
      `POST /console/payroll/upload?token=${encodeURIComponent(token)} HTTP/1.1`,
      `host: ${host}`,
      `cookie: ${browser.cookie}`,
      "content-type: multipart/form-data; boundary=slow",
      "content-length: 100000",
      "",
      '--slow\r\ncontent-disposition: form-data; name="file"; filename="juin.csv"\r\n\r\ntelephone',
    ].join("\r\n"),
  );
  return socket;
}

async function upload(person: Person): Promise<Page> {
  const body = new FormData();
  const text = "telephone;montant;reference;motif\n2250700000000;5000;slow-1;Salaire\n";
  body.set("file", new Blob([text], { type: "text/csv" }), "juin.csv");
  const token = encodeURIComponent(await person.formToken());
  return person.browser.post(`/console/payroll/upload?token=${token}`, body);
}
