import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface MerchantSite {
  readonly url: string;
  /** What the payer's browser asked for after it left our page, and what it said of where it came from. */
  readonly visits: readonly { readonly path: string; readonly referrer: string | undefined }[];
}

/** A merchant's shop on loopback, where payers come back to. */
export async function startMerchantSite(): Promise<MerchantSite> {
  const visits: { path: string; referrer: string | undefined }[] = [];
  const server = createServer((request, response) => {
    visits.push({ path: request.url ?? "", referrer: request.headers.referer });
    response.writeHead(200, { "content-type": "text/html" }).end("<title>Shop</title>Welcome back");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, visits };
}
