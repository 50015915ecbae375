import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "../../src/database/sql.ts";
import { planPathOf } from "../../src/payouts/plan-file.ts";
import { xlsxWriter } from "../../src/spreadsheets/write-xlsx.ts";
import { type Ground, onGround } from "../ground.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import { type MeasuredRun, runMeasured } from "../run-measured.ts";
import { cellsOf, type Employee, header, makeEmployees, type Row, toCsv } from "./rows.ts";

const sizes = {
  short: { rows: 3_000, bad: 60, workbookRows: 600 },
  full: { rows: 50_000, bad: 200, workbookRows: 10_000 },
} as const;
const kills = 2;
const megabytesMax = 200;
const fund = 100_000_000_000;
/** What is checked beforehand would take minutes at the pace of a shared service. */
const settings = { EVENT_LOOP_DELAY_MAX_MS: "0", CUSTOMER_CHECKS_PER_MINUTE: "1000000" };

export const payroll: Part = {
  name: "payroll",
  promises:
    "A payroll from a spreadsheet: every bad row is named by its line; mended, it is killed twice and started again, and everybody is paid once, in less than 200 MB.",
  run: (campaign) => onGround({ settings }, (ground) => payEverybody(campaign, ground)),
};

async function payEverybody(campaign: Campaign, ground: Ground): Promise<PartReport> {
  const { random, scale, progress } = campaign;
  const { rows, bad, workbookRows } = sizes[scale];
  const folder = join(ground.dataDir, "..", "payroll");
  await mkdir(folder, { recursive: true });
  const { accessToken } = await ground.makeCompany({ name: "Torture", fund, country: "SN" });
  const work: Work = {
    ground,
    folder,
    environment: { HOME: folder, CAURI_URL: ground.url, CAURI_TOKEN: accessToken },
    findings: [],
    peak: 0,
  };
  const employees = makeEmployees(random, rows, bad);
  progress("the customer book is filled");
  await fillBook(work, employees);
  progress(`${rows} rows with ${bad} bad ones are checked`);
  await expectBadRowsNamed(work, employees);
  const killed = await payDespiteKills(campaign, work, employees);
  progress("comparing with the books");
  await expectEverybodyPaidOnce(work, employees, 1);
  progress(`a workbook of ${workbookRows} rows`);
  const some = employees.slice(0, workbookRows);
  await payWorkbook(work, some);
  await expectEverybodyPaidOnce(work, some, 2);
  return {
    counts: {
      rows,
      "bad rows named": bad,
      kills: killed,
      "rows of a workbook": workbookRows,
      "megabytes at most": work.peak,
    },
    findings: [
      ...work.findings,
      ...(work.peak < megabytesMax ? [] : [`an import held ${work.peak} MB of memory`]),
      ...(await ground.auditFindings()),
    ],
  };
}

interface Work {
  readonly ground: Ground;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly findings: string[];
  peak: number;
}

async function run(
  work: Work,
  args: readonly string[],
  mayKill?: () => Promise<boolean>,
): Promise<MeasuredRun> {
  const result = await runMeasured(["payout", "import", ...args], work.environment, mayKill);
  work.peak = Math.max(work.peak, result.megabytes);
  return result;
}

async function fillBook({ ground, folder, findings }: Work, employees: readonly Employee[]) {
  const file = join(folder, "people.csv");
  const lines = employees.map(({ msisdn }) => `${msisdn},Awa,Diop,complete,900000000000`);
  await writeFile(file, ["msisdn,first name,last name,kyc,limit", ...lines].join("\n"));
  const { code, stdout, stderr } = await ground.command(["customer", "import", file, "--yes"]);
  if (code !== 0) findings.push(`the customer book was not imported: ${stdout} ${stderr}`);
}

/** The first row of people is the second line of the file. */
async function expectBadRowsNamed(work: Work, employees: readonly Employee[]): Promise<void> {
  const file = join(work.folder, "payroll.csv");
  await writeFile(file, toCsv(employees.map(({ good, bad }) => bad ?? good)));
  const { code, stdout, stderr } = await run(work, [file, "--dry-run", "--json"]);
  if (code !== 1) work.findings.push(`bad rows were let through (${code}): ${stderr}`);
  const named = lineSet(stdout);
  const bad = new Set(
    employees.flatMap(({ bad: row }, place) => (row === undefined ? [] : [place + 2])),
  );
  const missed = [...bad].filter((line) => !named.has(line));
  const wrongly = [...named].filter((line) => !bad.has(line));
  if (missed.length > 0)
    work.findings.push(`bad rows that were not named: lines ${missed.join(", ")}`);
  if (wrongly.length > 0)
    work.findings.push(`good rows that were named: lines ${wrongly.join(", ")}`);
}

function lineSet(stdout: string): ReadonlySet<number> {
  const { findings } = JSON.parse(stdout) as { findings: { line: number }[] };
  return new Set(findings.map(({ line }) => line));
}

/** Each blow falls when the plan says that some more has been sent, or at once when it is written. */
async function payDespiteKills(
  { random, progress }: Campaign,
  work: Work,
  employees: readonly Employee[],
): Promise<number> {
  const file = join(work.folder, "payroll.csv");
  await writeFile(file, toCsv(employees.map(({ good }) => good)));
  let killed = 0;
  for (let tries = 0; tries <= kills; tries += 1) {
    const from = tries === 0 ? 0 : random.integer(1, Math.ceil(employees.length / 2));
    progress(`${killed} kills so far`);
    const isTime = async () => {
      const sent = await sentSoFar(file);
      return tries < kills && sent !== undefined && sent >= from;
    };
    const { code, stdout, stderr } = await run(work, [file, "--yes", "--json"], isTime);
    if (code === null) killed += 1;
    else if (code !== 0)
      work.findings.push(`the payroll ended with ${code}: ${stdout.slice(0, 500)} ${stderr}`);
  }
  if (killed < kills) work.findings.push(`only ${killed} of ${kills} kills came in time`);
  return killed;
}

async function sentSoFar(file: string): Promise<number | undefined> {
  try {
    return (JSON.parse(await readFile(planPathOf(file), "utf8")) as { sentCount: number })
      .sentCount;
  } catch {
    return undefined;
  }
}

async function payWorkbook(work: Work, employees: readonly Employee[]): Promise<void> {
  const file = join(work.folder, "payroll.xlsx");
  const pieces: Buffer[] = [];
  async function* sets() {
    // Without references: those of the first payroll are used.
    const row = ({ good }: Employee): Row => ({ ...good, reference: "" });
    yield employees.map((employee, place) =>
      cellsOf(row(employee), place).map((text) => ({ text })),
    );
  }
  const widths = header.map(() => 20);
  for await (const piece of xlsxWriter({ sheetName: "Paie", header: [...header], widths }, sets()))
    pieces.push(piece);
  await writeFile(file, Buffer.concat(pieces));
  const { code, stdout, stderr } = await run(work, [file, "--yes", "--json"]);
  if (code !== 0)
    work.findings.push(`the workbook ended with ${code}: ${stdout.slice(0, 500)} ${stderr}`);
}

/** Asked of the database itself, and of the outcome file. */
async function expectEverybodyPaidOnce(
  { ground, folder, findings }: Work,
  employees: readonly Employee[],
  times: number,
): Promise<void> {
  const rows = await ground.database.query<{ msisdn: string; count: number; sum: number }>(sql`
    select msisdn, count(*)::int as count, sum(amount)::bigint as sum from transfers group by msisdn`);
  const failed = await ground.database.query(sql`
    select 1 from outcomes where status = 'failed' union all select 1 from pending_transfers limit 1`);
  if (failed.length > 0)
    findings.push("a transfer to somebody with room for it failed, or never ended");
  const paid = new Map(rows.map(({ msisdn, count, sum }) => [msisdn, { count, sum }]));
  const wrong = employees.filter(({ msisdn, amount }) => {
    const { count, sum } = paid.get(msisdn) ?? {};
    return count !== times || sum !== amount * times;
  });
  if (wrong.length > 0)
    findings.push(
      `${wrong.length} were not paid exactly ${times} times: ${wrong[0]?.msisdn} for one, ${JSON.stringify(paid.get(wrong[0]?.msisdn ?? ""))}`,
    );
  const name = "payroll-outcome.csv";
  const outcome = (await readFile(join(folder, name), "utf8")).split("\r\n").slice(1, -1);
  const completed = outcome.filter((line) => line.includes(";completed;")).length;
  if (completed !== employees.length)
    findings.push(`${name} has ${completed} completed rows instead of ${employees.length}`);
}
