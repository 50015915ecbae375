import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";

type Page = Buffer | string | ((response: ServerResponse) => void);

export interface LogoHost {
  readonly url: string;
  /** The paths that were asked for, in order. */
  readonly asked: readonly string[];
  readonly port: number;
}

/** A merchant's server on loopback with these files, gone when the test is over; 404 for the rest. */
export async function startLogoHost(pages: Record<string, Page>): Promise<LogoHost> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const page = pages[path];
    if (page === undefined) response.writeHead(404).end("not here");
    else if (typeof page === "function") page(response);
    // What a server says of a file decides nothing.
    else response.writeHead(200, { "content-type": "image/svg+xml" }).end(page);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, port };
}

/** As if the pauses before the next tries were over. */
export async function passLogoTime(database: Database): Promise<void> {
  await database.query(sql`update logos set next_try_at = now() where status = 'waiting'`);
  await database.query(sql`update work set ready_at = now() where queue = 'logos'`);
  await database.query(sql`select pg_notify('work_ready', 'logos')`);
}

/** As if a worker had fetched it. */
export async function keepLogo(
  { database }: { readonly database: Database },
  url: string,
  bytes: Buffer,
): Promise<void> {
  await database.query(sql`
    update logos set status = 'fetched', type = 'image/png', bytes = ${bytes} where url = ${url}`);
}
