import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { launchChromium } from "../scripts/chromium.ts";

const actionTimeoutMs = 60_000;

/** Opens a page in a browser window of its own, which is gone when the test is over. */
export type OpenPage = (options?: BrowserContextOptions) => Promise<Page>;

/** One browser for all tests of a file. Call it at the top of the file. */
export function useBrowser(): OpenPage {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });
  return async (options = {}) => {
    if (browser === undefined) throw new Error("the browser is not there yet");
    const context: BrowserContext = await browser.newContext({ locale: "fr-SN", ...options });
    context.setDefaultTimeout(actionTimeoutMs);
    onTestFinished(() => context.close());
    return context.newPage();
  };
}
