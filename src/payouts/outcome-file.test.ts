import { createReadStream } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { countryDefault } from "../kernel/countries.ts";
import { openZip } from "../spreadsheets/open-zip.ts";
import { FileChangedMeanwhile, NotAnOutcomeFile } from "./errors.ts";
import type { PayoutOutcome } from "./follow-payouts.ts";
import { writeOutcomes } from "./outcome-file.ts";
import { type Draft, readPayouts } from "./read-payouts.ts";
import { writeRetryDraft } from "./retry-draft.ts";
import { templateOf } from "./template.ts";
import { writeNew } from "./write-file.ts";

const options = { country: countryDefault, allowRepeats: false };
const text =
  "nom,msisdn,amount,id\n=cmd|x,221770000001,25 000,17\nFall,221770000002,6000,\nSow,+221770000003,7000,19\n";
const outcomes: PayoutOutcome[] = [
  outcome("txn_1", "completed", null),
  outcome("txn_2", "failed", "SERVICE_ACCOUNT_NOT_FOUND"),
  { id: null, status: "not_sent", reason: null, fee: null, time: null },
];

test("the input's own columns, formulas disarmed and amounts as numbers, then what became of each row", async () => {
  const { path, draft } = await makeInput();

  await write(path, draft, outcomes);

  expect((await readFile(`${path}-out.csv`, "utf8")).split("\r\n")).toEqual([
    "\ufeffnom;msisdn;amount;id;id;status;reason;fee;time",
    "'=cmd|x;'221770000001;25000;'17;txn_1;completed;;0;2026-01-31T09:00:00.000Z",
    "Fall;'221770000002;6000;;txn_2;failed;SERVICE_ACCOUNT_NOT_FOUND;0;2026-01-31T09:00:00.000Z",
    "Sow;'+221770000003;7000;'19;;not_sent;;;",
    "",
  ]);
});

test("an input that was saved again meanwhile is noticed, and no half of an outcome is left", async () => {
  for (const changed of [
    text.replace("Sow", "Sou"),
    `${text}Ba,221770000004,8000,\n`,
    "",
    "a;b\n",
  ]) {
    const { path, folder, draft } = await makeInput();
    await writeFile(path, changed);

    await expect(write(path, draft, outcomes)).rejects.toBeInstanceOf(FileChangedMeanwhile);
    expect(await readdir(folder)).toEqual(["payroll.csv"]);
  }
});

test("rows that were left out stand in their place, not sent and why; a new draft is not made of them", async () => {
  const { path, folder, draft } = await makeInput();
  const [, second, third] = draft.payouts;
  const payouts = [second, third].flatMap((payout) => payout ?? []);
  const leftOut = { 2: "RECIPIENT_UNKNOWN AMOUNT_OUT_OF_RANGE" };

  await write(path, { ...draft, payouts }, outcomes.slice(0, 2), leftOut);

  expect((await readFile(`${path}-out.csv`, "utf8")).split("\r\n").slice(1, 3)).toEqual([
    "'=cmd|x;'221770000001;'25 000;'17;;not_sent;RECIPIENT_UNKNOWN AMOUNT_OUT_OF_RANGE;;",
    "Fall;'221770000002;6000;;txn_1;completed;;0;2026-01-31T09:00:00.000Z",
  ]);
  const retry = join(folder, "retry.csv");
  expect(
    await writeRetryDraft(`${path}-out.csv`, (pieces) => writeNew(retry, pieces)),
  ).toMatchObject({ failedCount: 1, openCount: 0, leftOutCount: 1 });
});

test("a new draft has the rows that failed, each under a reference that follows from the transfer that failed", async () => {
  const { path, folder, draft } = await makeInput();
  await write(path, draft, outcomes);
  const retry = join(folder, "retry.csv");

  const counts = await writeRetryDraft(`${path}-out.csv`, (pieces) => writeNew(retry, pieces));

  expect(counts).toEqual({
    failedCount: 1,
    openCount: 1,
    leftOutCount: 0,
    reasons: { SERVICE_ACCOUNT_NOT_FOUND: 1 },
  });
  const again = await readPayouts(createReadStream(retry), "retry.csv", options);
  expect(again.findings).toEqual([]);
  expect(again.payouts).toEqual([
    {
      line: 2,
      msisdn: "221770000002",
      amount: 6_000,
      reference: "retry-txn_2",
      hasOwnReference: true,
      description: null,
    },
  ]);
  await expect(
    writeRetryDraft(`${path}-out.csv`, (pieces) => writeNew(retry, pieces)),
  ).rejects.toMatchObject({ code: "EEXIST" });
  await expect(writeRetryDraft(path, async () => {})).rejects.toBeInstanceOf(NotAnOutcomeFile);
});

test("where nobody's payment failed no draft is written; in one, amounts are numbers that can be added up", async () => {
  const { folder, path, draft } = await makeInput();
  const retry = join(folder, "retry.csv");
  const completed = draft.payouts.map((_, place) => outcome(`txn_${place}`, "completed", null));
  await write(path, draft, completed);
  const never = async () => expect.unreachable("nothing is to be written");

  expect(await writeRetryDraft(`${path}-out.csv`, never)).toMatchObject({ failedCount: 0 });

  const failed = draft.payouts.map((_, place) =>
    outcome(`txn_${place}`, "failed", "UNKNOWN_ERROR"),
  );
  await write(path, draft, failed);
  await writeRetryDraft(`${path}-out.csv`, (pieces) => writeNew(retry, pieces));
  const rows = (await readFile(retry, "utf8")).trim().split("\r\n").slice(1);
  expect(rows.map((row) => row.split(";")[draft.columns?.amount ?? -1])).toEqual(
    draft.payouts.map(({ amount }) => String(amount)),
  );
});

test("a file that cannot be written to its end is not left behind", async () => {
  const { folder } = await makeInput();
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from("half");
    throw new Error("the disk is full");
  }

  await expect(writeNew(join(folder, "new.csv"), broken())).rejects.toThrow("the disk is full");
  expect(await readdir(folder)).toEqual(["payroll.csv"]);
});

test.for(["csv", "xlsx"] as const)(
  "a template is understood, and pays nobody: %s",
  async (kind) => {
    for (const language of ["fr", "en"] as const) {
      const draft = await readPayouts(templateOf(language, kind), `t.${kind}`, options);
      expect(draft.columns).toMatchObject({ language, reference: 2, description: 3 });
      expect(draft.findings).toMatchObject([{ code: "no_rows" }]);
    }
  },
);

test("in a template, phone numbers and references are text in every row that will be typed", async () => {
  const zip = await openZip(await buffer(templateOf("fr", "xlsx")), 100_000);
  const part = async (name: string) => (await buffer(zip.read(name))).toString();
  const sheet = await part("xl/worksheets/sheet1.xml");
  const styles = [...(await part("xl/styles.xml")).matchAll(/<cellXfs.*<\/cellXfs>/gs)];
  const formats = [...String(styles).matchAll(/<xf numFmtId="(\d+)"/g)].map(([, id]) => id);
  const columns = [...sheet.matchAll(/<col min="(\d)" max="\1" [^>]*?(?: style="(\d)")?\/>/g)];

  // 49 is what the format calls text.
  expect(columns.map(([, place, style]) => [place, formats[Number(style ?? 0)]])).toEqual([
    ["1", "49"],
    ["2", "0"],
    ["3", "49"],
    ["4", "0"],
  ]);
});

function outcome(id: string, status: "completed" | "failed", reason: string | null): PayoutOutcome {
  return { id, status, reason, fee: 0, time: "2026-01-31T09:00:00.000Z" };
}

async function makeInput() {
  const folder = await mkdtemp(join(tmpdir(), "cauri-outcome-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "payroll.csv");
  await writeFile(path, text);
  return { folder, path, draft: await readPayouts(createReadStream(path), "payroll.csv", options) };
}

async function write(
  path: string,
  { fileHash, columns, payouts }: Draft,
  rows: readonly PayoutOutcome[],
  leftOut = {},
): Promise<void> {
  if (columns === undefined) throw new Error("no columns");
  async function* each(): AsyncGenerator<PayoutOutcome> {
    yield* rows;
  }
  const file = { input: path, output: `${path}-out.csv`, fileHash, columns, payouts, leftOut };
  await writeOutcomes(file, each());
}
