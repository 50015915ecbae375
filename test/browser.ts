import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { test as base, onTestFinished } from "vitest";
import { launchChromium } from "../scripts/chromium.ts";

const actionTimeoutMs = 60_000;

/** Opens a page in a browser window of its own, which is gone when the test is over. */
export type OpenPage = (options?: BrowserContextOptions) => Promise<Page>;

/** One browser for all files that a worker runs: starting one takes longer than many a test. It is closed when the worker ends. */
const test = base.extend<{ $worker: { browser: Browser } }>({
  browser: [
    // oxlint-disable-next-line no-empty-pattern -- vitest reads the fixtures a function needs from its pattern.
    async ({}, use) => {
      const browser = await launchChromium();
      await use(browser);
      await browser.close();
    },
    { scope: "worker" },
  ],
});

/** Pages for the tests of a file. Call it at the top of the file. */
export function useBrowser(): OpenPage {
  let browser: Browser | undefined;
  test.beforeAll(({ browser: ofWorker }) => {
    browser = ofWorker;
  });
  return async (options = {}) => {
    if (browser === undefined) throw new Error("the browser is not there yet");
    const context: BrowserContext = await browser.newContext({ locale: "fr-SN", ...options });
    context.setDefaultTimeout(actionTimeoutMs);
    onTestFinished(() => context.close());
    return context.newPage();
  };
}
