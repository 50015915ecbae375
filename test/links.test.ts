import { describe, expect } from "vitest";
import { bannerOf } from "../src/banner.ts";
import { readConfig } from "../src/config.ts";
import { ConsoleClient, signIn } from "./console.ts";
import { productionSettings, startService, type TestService, test } from "./fixtures.ts";

/** As browsers ask when somebody follows a link. */
const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
/** More than there are without signing in. */
const pagesMax = 100;

const places = ["/", "/docs", "/docs/guides", "/console"];

interface Page {
  readonly status: number;
  readonly html: string;
  readonly location: string | undefined;
}

async function open({ app }: TestService, url: string): Promise<Page> {
  const answer = await app.inject({ url, headers: { accept } });
  const location = answer.headers.location;
  return { status: answer.statusCode, html: answer.body, location: location?.toString() };
}

/** Addresses of this installation that a page leads to. */
function linksIn(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].map(([, href = ""]) =>
    href.replaceAll("&amp;", "&"),
  );
}

function idsIn(html: string): Set<string> {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id));
}

/** Follows every link from there on, and says which lead nowhere. */
async function crawl(service: TestService, start: string) {
  const pages = new Map<string, Page>();
  const waiting = [start];
  const broken: string[] = [];
  const reach = async (url: string) => {
    const page = pages.get(url) ?? (await open(service, url));
    pages.set(url, page);
    if (pages.size > pagesMax) throw new Error("there is no end to the pages");
    return page;
  };
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    const page = await reach(url);
    if (page.location !== undefined && !pages.has(page.location)) waiting.push(page.location);
    for (const link of linksIn(page.html)) {
      if (/^(?:https?|tel|mailto):/.test(link)) continue;
      const [path = "", anchor = ""] = link.split("#", 2);
      const isKnown = path === "" || pages.has(path);
      const target = path === "" ? page : await reach(path);
      if (target.status >= 400) broken.push(`${url} leads to ${link}: ${target.status}`);
      if (anchor !== "" && !idsIn(target.html).has(anchor))
        broken.push(`${url} leads to ${link}: no such place`);
      if (!isKnown) waiting.push(path);
    }
  }
  return { broken, reached: new Set(Array.from(pages.keys(), (url) => url.split("?", 1)[0])) };
}

describe("every link resolves", () => {
  test.for(["fr", "en"])("from the home page on, in %s", async (lang, { service }) => {
    const { broken, reached } = await crawl(service, `/?lang=${lang}`);

    expect(broken).toEqual([]);
    for (const place of [...places, "/wallet", "/guide", "/console/login", "/docs/guides/payroll"])
      expect(reached, place).toContain(place);
  });

  test("in production, and below a path", async ({ db }) => {
    const service = await startService(db, productionSettings(db));
    try {
      expect((await crawl(service, "/")).broken).toEqual([]);
    } finally {
      await service.stop();
    }
    const below = await startService(db, {
      ...productionSettings(db),
      PUBLIC_URL: "https://pay.example/cauri",
    });
    try {
      for (const path of [...places, "/docs/guides/timeouts", "/console/login"]) {
        const links = linksIn((await open(below, path)).html).filter((link) =>
          link.startsWith("/"),
        );
        expect(
          links.filter((link) => !link.startsWith("/cauri/")),
          path,
        ).toEqual([]);
      }
    } finally {
      await below.stop();
    }
  });
});

test.for(["/", "/docs", "/docs/guides", "/docs/guides/refunds"])(
  "%s leads to all the others",
  async (from, { service }) => {
    const { html } = await open(service, `${from}?lang=en`);
    const led = new Set(linksIn(html).map((link) => link.split(/[?#]/, 1)[0]));

    for (const place of places.filter((one) => one !== from)) expect(led, place).toContain(place);
  },
);

test("the banner names all of them, and what it names is there", async ({ service }) => {
  const demo = {
    isNew: false,
    path: ".cauri/demo.json",
    shellPath: ".cauri/demo.env",
    companyId: "com_1",
    accessToken: "at_1",
    secretKey: "sk_1",
  };
  const banner = bannerOf(readConfig({}), service.url, demo);
  const named = [...banner.matchAll(/http:\/\/127\.0\.0\.1:\d+(\/\S*)/g)].map(
    ([, path]) => path ?? "",
  );

  expect(named).toEqual(expect.arrayContaining([...places, "/wallet"]));
  for (const path of named) expect((await open(service, path)).status, path).toBeLessThan(400);
});

test("developers are led from the console to the reference and the guides", async ({
  db,
  service,
  company,
}) => {
  const client = new ConsoleClient(service, await signIn(db, company.id, "developer"));
  const { text } = await client.get("/console/developers/webhooks");

  for (const path of ["/docs?lang=fr", "/docs/guides?lang=fr"]) {
    expect(linksIn(text)).toContain(path);
    expect((await open(service, path)).status).toBe(200);
  }
});
