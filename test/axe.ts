import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";

const require = createRequire(import.meta.url);
let served: Promise<string> | undefined;

/**
 * Puts the checker into the page. From an address, and not over the protocol: the browser keeps it and what it made of
 * it, where half a megabyte that is sent to each page would be read anew.
 */
export async function bringAxe(page: Page): Promise<void> {
  served ??= serveAxe();
  const url = JSON.stringify(await served);
  await page.evaluate(`new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.onload = () => resolve(script.remove());
    script.onerror = () => reject(new Error("the checker did not load"));
    script.src = ${url};
    document.head.append(script);
  })`);
}

/** Once for all tests of this process, and gone with it. */
async function serveAxe(): Promise<string> {
  const source = readFileSync(require.resolve("axe-core/axe.min.js"));
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/javascript; charset=utf-8");
    response.setHeader("cache-control", "max-age=86400, immutable");
    response.setHeader("cross-origin-resource-policy", "cross-origin");
    response.end(source);
  });
  server.unref();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/axe.js`;
}
