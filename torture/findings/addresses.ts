import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Browser, formsOf } from "./browser.ts";
import { Company } from "./company.ts";
import { type Finding, good } from "./finding.ts";
import { employ, newAddress } from "./person.ts";

/** Of what is for whoever watches the nodes, and what a proxy that knows the plain name lets pass. */
const inside = ["metrics", "healthz", "readyz"];
const forms = ["/NAME/", "//NAME", "/NAME//", "/NAME%2f"];
const megabyte = 1_048_576;

/** One address is one resource, and a page that is asked for changes nothing. */
export const addressFindings: readonly Finding[] = [
  {
    name: "7 metrics past the proxies",
    promise: "Metrics and health have one address each, which the shipped proxies know.",
    reproduce: async (site) => {
      const browser = new Browser(site.url, newAddress());
      const paths = inside.flatMap((name) => forms.map((form) => form.replace("NAME", name)));
      const answers = await Promise.all(
        paths.map(async (path) => `${path} ${(await browser.get(site.url + path)).status}`),
      );
      const plain = await browser.get("/healthz");
      const open = answers.filter((answer) => answer.endsWith(" 200"));
      return [
        good(plain.status === 200, `/healthz answers ${plain.status}`),
        good(
          open.length === 0,
          `other forms of such addresses answered with 200: ${open.join(", ") || "none"}`,
        ),
      ];
    },
  },
  {
    name: "15 signed out by another site",
    promise: "A link on another site signs nobody out.",
    reproduce: async (site) => {
      const company = await Company.make(site, "Links");
      const reader = await employ(site, company.id, "reader", "reader@links.example");
      const before = await reader.isSignedIn();
      await reader.browser.get("/console/login?again=1", { "sec-fetch-site": "cross-site" });
      const after = await reader.isSignedIn();
      return [
        good(before, `signed in before: ${before}`),
        good(after, `signed in after GET /console/login?again=1: ${after}`),
      ];
    },
  },
  {
    name: "17b a way out of the console",
    promise: "Whoever signs in is led to a page of the console, by an address without steps up.",
    reproduce: async (site) => {
      const next = encodeURIComponent("/console/../../evil");
      const page = await new Browser(site.url, newAddress()).get(`/console/login?next=${next}`);
      const kept = formsOf(page).flatMap(({ hidden }) => hidden["next"] ?? []);
      const isKept = kept.some((path) => path.includes(".."));
      return [good(!isKept, `after signing in leads to: ${kept.join(", ") || "the console"}`)];
    },
  },
  {
    name: "17c a redirect to any host",
    promise: "The shipped nginx redirects to its own name, whatever host the caller wrote.",
    reproduce: async ({ root }) => {
      const [redirect = ""] = /return 30\d \S+/.exec(await nginx(root)) ?? [];
      const isOwn = redirect !== "" && !/\$(?:http_)?host\b/.test(redirect);
      return [good(isOwn, `nginx: ${redirect}`)];
    },
  },
  {
    name: "17e a payroll that the proxies refuse",
    promise: "The shipped proxies let a payroll of 10 MB pass, and 1 MB elsewhere.",
    reproduce: async ({ root }) => {
      const [nginxSizes, caddySizes] = [
        sizesOf(await nginx(root), /client_max_body_size (\d+)(\w)/g),
        sizesOf(
          await readFile(join(root, "deploy/proxy/Caddyfile"), "utf8"),
          /max_size (\d+)(\w)\w*/g,
        ),
      ];
      return Object.entries({ nginx: nginxSizes, Caddy: caddySizes }).map(([name, sizes]) =>
        good(
          Math.max(...sizes) >= 10 * megabyte && Math.min(...sizes) <= megabyte,
          `${name} lets pass: ${sizes.map((bytes) => `${(bytes / megabyte).toFixed(1)} MB`).join(", ")}`,
        ),
      );
    },
  },
];

function nginx(root: string): Promise<string> {
  return readFile(join(root, "deploy/proxy/nginx.conf"), "utf8");
}

function sizesOf(text: string, pattern: RegExp): number[] {
  const units: Readonly<Record<string, number>> = { k: 1_024, m: megabyte };
  return Array.from(
    text.matchAll(pattern),
    ([, count, unit = ""]) => Number(count) * (units[unit.toLowerCase()] ?? 1),
  );
}
