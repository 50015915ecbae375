import { chooseAccount } from "../../src/database/embedded/account.ts";
import { findBinaries } from "../../src/database/embedded/binaries.ts";
import {
  type Accounts,
  prepareLayout,
  readOrMakeAccounts,
} from "../../src/database/embedded/layout.ts";
import { chooseFreePort } from "../../src/database/embedded/ports.ts";
import { startEmbedded } from "../../src/database/embedded/server.ts";
import { Server } from "./server.ts";

/** A PostgreSQL of a campaign's own, as the embedded one is set up; it is not started yet. */
export async function makeServer(
  dataDir: string,
): Promise<{ readonly server: Server; readonly accounts: Accounts }> {
  const embedded = await startEmbedded({ dataDir, log: () => {} });
  await embedded.stop();
  const binaries = await findBinaries();
  const layout = await prepareLayout(dataDir);
  const account = await chooseAccount(layout, binaries);
  const accounts = await readOrMakeAccounts(layout);
  const { cluster, logFile } = layout;
  const { postgres } = binaries;
  const port = await chooseFreePort();
  const place = { cluster, logFile, port, postgres, account, admin: accounts.admin };
  return { server: new Server(place), accounts };
}
