import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { invite } from "./access/links.ts";
import { companyIdPrefix } from "./companies/company.ts";
import { createFirstCompany } from "./companies/create-company.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/database.ts";
import { readDatabaseTime } from "./database/database-clock.ts";
import { toPublicId } from "./kernel/ids.ts";
import { writePrivateFile } from "./kernel/private-file.ts";
import type { SecretBox } from "./kernel/secret-box.ts";
import type { CompanyRole } from "./staff/roles.ts";
import { operator } from "./trail/actor.ts";

const demoFund = 10_000_000;

export interface DemoCompany {
  readonly companyId: string;
  readonly accessToken: string;
  readonly secretKey: string;
  /** Where it is kept, 0600. */
  readonly path: string;
  /** The same for a shell, with the service's address. */
  readonly shellPath: string;
  /** Made by this start: the only time its keys are shown. */
  readonly isNew: boolean;
  /** By which its people enter the console; shown like the keys. Absent where an earlier version made it. */
  readonly people?: readonly DemoPerson[];
}

interface DemoPerson {
  readonly email: string;
  readonly role: CompanyRole;
  /** The path of a link that is good once. */
  readonly link: string;
}

/** One who asks for payments and one who approves them. The addresses lead nowhere. */
const demoPeople = [
  { email: "demo@cauri.example", role: "owner" },
  { email: "approver@cauri.example", role: "approver" },
] as const;

/** On the first start in staging with an empty database: a funded company, so that a newcomer can try everything. */
export async function findOrMakeDemoCompany(
  config: Config,
  database: Database,
  box: SecretBox,
): Promise<DemoCompany | undefined> {
  const path = join(config.dataDir, "demo.json");
  const shellPath = join(config.dataDir, "demo.env");
  const request = { name: "Demo", fund: demoFund };
  const by = operator("serve");
  const created =
    config.environment === "staging"
      ? await createFirstCompany(database, box, request, by)
      : undefined;
  if (created !== undefined) {
    const people: DemoPerson[] = [];
    for (const person of demoPeople) {
      const member = { ...person, companyId: created.company.id };
      const { token } = await invite(database, await readDatabaseTime(database), member, by);
      people.push({ ...person, link: `/console/join/${token}` });
    }
    const demo = {
      companyId: toPublicId(companyIdPrefix, created.company.id),
      accessToken: created.key.accessToken,
      secretKey: created.key.secretKey,
      people,
    };
    await writePrivateFile(path, `${JSON.stringify(demo, null, 2)}\n`);
    return { ...demo, path, shellPath, isNew: true };
  }
  try {
    return {
      ...(JSON.parse(await readFile(path, "utf8")) as Omit<
        DemoCompany,
        "path" | "shellPath" | "isNew"
      >),
      path,
      shellPath,
      isNew: false,
    };
  } catch {
    return undefined;
  }
}

/** What a terminal needs to speak for the demo company, for `. .cauri/demo.env`. */
export async function writeDemoSettings(demo: DemoCompany, url: string): Promise<void> {
  const { shellPath, accessToken, secretKey } = demo;
  const settings = { CAURI_URL: url, CAURI_TOKEN: accessToken, CAURI_SECRET_KEY: secretKey };
  const lines = Object.entries(settings).map(([name, value]) => `export ${name}=${value}\n`);
  await writePrivateFile(shellPath, lines.join(""));
}
