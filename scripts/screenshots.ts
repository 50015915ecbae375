// Pictures of every state of the pages, in both languages, light and dark, on a small phone and on a
// laptop, for somebody to look at: screenshots/<state>-<language>-<scheme>-<width>.png.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import type { Browser } from "playwright-core";
import { startParts } from "../src/app.ts";
import { createCompany } from "../src/companies/create-company.ts";
import { openVault } from "../src/companies/vault.ts";
import { readConfig } from "../src/config.ts";
import { openAndMigrate } from "../src/database/open-database.ts";
import { packageRoot } from "../src/kernel/root.ts";
import { launchChromium } from "./chromium.ts";
import { makeConsoleStates } from "./console-states.ts";
import { makePageStates, type PageState } from "./page-states.ts";
import { referenceStates } from "./reference-states.ts";
import { servePicture, setStage } from "./stage.ts";

const folder = join(packageRoot, "screenshots");
const looks = [
  { width: 320, height: 568, deviceScaleFactor: 2 },
  { width: 1_280, height: 800, deviceScaleFactor: 1 },
];

const dataDir = await mkdtemp(join(tmpdir(), "cauri-screenshots-"));
const config = readConfig({ PORT: "0", LOG_LEVEL: "silent", DATA_DIR: dataDir });
const open = await openAndMigrate(config, () => {});
const logger = pino({ level: "silent" });
const box = await openVault(open.database, config);
const parts = await startParts(config, logger, open.database, open.url, box);
const browser = await launchChromium();
try {
  const url = await parts.app.listen({ host: "127.0.0.1", port: 0 });
  const { company, key } = await createCompany(open.database, box, {
    name: "Teranga Services",
    fund: 1_000_000,
  });
  const logo = await servePicture(await drawLogo(browser));
  const ground = { url, accessToken: key.accessToken, database: open.database };
  const stage = await setStage(ground, logo.url);
  const states = [
    ...(await makePageStates(stage)),
    ...(await makeConsoleStates({ ...stage, companyId: company.id, box })),
  ];
  logo.close();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ["light", "dark"] as const)
    for (const look of looks) {
      await takePictures(states, colorScheme, look, true);
      // It is as long as a book: pictures of what a reader sees at once.
      await takePictures(referenceStates(url, key.accessToken), colorScheme, look, false);
    }
  process.stderr.write(`The pictures are in ${folder}.\n`);
} finally {
  await browser.close();
  await parts.app.close();
  await parts.stop();
  await open.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function takePictures(
  states: readonly PageState[],
  colorScheme: "light" | "dark",
  { deviceScaleFactor, ...viewport }: (typeof looks)[number],
  fullPage: boolean,
): Promise<void> {
  const context = await browser.newContext({ viewport, deviceScaleFactor, colorScheme });
  const page = await context.newPage();
  for (const state of states) {
    for (const lang of ["fr", "en"]) {
      await state.open(page, lang);
      const name = `${state.name}-${lang}-${colorScheme}-${viewport.width}.png`;
      await page.screenshot({ path: join(folder, name), fullPage });
    }
  }
  await context.close();
}

/** A shell on green, the size that shops have them. */
async function drawLogo(by: Browser): Promise<Buffer> {
  const page = await by.newPage({ viewport: { width: 96, height: 96 } });
  await page.setContent(`<body style="margin:0"><svg width="96" height="96" viewBox="0 0 96 96">
    <rect width="96" height="96" fill="#17594a"/><ellipse cx="48" cy="48" rx="25" ry="33" fill="#f6e7c8"/>
    <path d="M48 21v54" stroke="#8a5a2b" stroke-width="5" stroke-dasharray="4 5"/></svg>`);
  const picture = await page.screenshot();
  await page.close();
  return picture;
}
