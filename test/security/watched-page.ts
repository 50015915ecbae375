import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import type { TestService } from "../fixtures.ts";

export const caught = "caught";
/** What would change the title, wherever it is taken for markup, for the end of a script, or for an address. */
export const hostile = `"'></script></style></textarea><img src=x onerror="document.title='${caught}'"><script>document.title='${caught}'</script><!--`;
export const elsewhere = "http://elsewhere.example";

/** A page, and every request that it makes. Nothing leaves this machine. */
export async function watch(
  openPage: (options?: BrowserContextOptions) => Promise<Page>,
): Promise<{ page: Page; asked: string[]; reached: string[] }> {
  const page = await openPage();
  const [asked, reached]: [string[], string[]] = [[], []];
  page.on("request", (request) => asked.push(`${request.method()} ${request.url()}`));
  // What a policy forbids is asked for as far as the browser tells, and goes no further.
  await page.route(`${elsewhere}/**`, (route) => {
    reached.push(route.request().url());
    return route.fulfill({ status: 200, body: "{}" });
  });
  return { page, asked, reached };
}

export async function expectNothingRan(page: Page, asked: readonly string[], service: TestService) {
  expect(await page.title()).not.toBe(caught);
  expect(
    await page
      .locator('img, iframe, object, embed, base, script[src], [onerror], [href^="javascript:"]')
      .count(),
  ).toBe(0);
  expect(
    asked.filter((one) => !one.includes(` ${service.url}/`) && !one.endsWith(" data:,")),
  ).toEqual([]);
}
