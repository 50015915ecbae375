import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { tidyMemoryOften } from "../../../kernel/tidy-memory.ts";
import { FileChanged, PaidByAnother } from "../../../payouts/errors.ts";
import { followPayouts, type PayoutOutcome } from "../../../payouts/follow-payouts.ts";
import { HttpPaymaster } from "../../../payouts/http-paymaster.ts";
import { writeOutcomes } from "../../../payouts/outcome-file.ts";
import { keepPastImport, pastImportsPath, readPastImports } from "../../../payouts/past-imports.ts";
import type { Account, Paymaster } from "../../../payouts/paymaster.ts";
import { chunkRowsDefault, type Plan } from "../../../payouts/plan.ts";
import { findPlan, keepPlan, planPathOf } from "../../../payouts/plan-file.ts";
import { type Preparation, preparePayouts } from "../../../payouts/prepare-payouts.ts";
import { type Draft, readPayouts } from "../../../payouts/read-payouts.ts";
import { sendPayouts } from "../../../payouts/send-payouts.ts";
import { Clock } from "../../clock.ts";
import { commandFor, type Login, optionWords } from "../../command-for.ts";
import { confirm } from "../../confirm.ts";
import type { Outcome } from "../../context.ts";
import { besides, readable } from "../../files.ts";
import { Progress } from "../../progress.ts";
import { type ClientOptions, readClient } from "../../read-client.ts";
import { say } from "../../say.ts";
import { toFrancs } from "../../table.ts";
import {
  continuation,
  countOutcomes,
  describeFindings,
  describeReview,
  describeRun,
  type OutcomeCounts,
  toJson,
} from "./describe.ts";

export interface ImportOptions extends ClientOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly output?: string;
  readonly allowRepeats?: boolean;
  readonly skipInvalid?: boolean;
  readonly new?: boolean;
}

/** What a file is and where it has got to. */
interface Import {
  readonly file: string;
  readonly draft: Draft;
  readonly account: Account;
  readonly begun: Plan | undefined;
}

/** All paid is 0; something wrong before anything was sent is 1; not everybody paid is 3. */
const partlyFailed = 3;

export async function importPayoutsCommand(file: string, options: ImportOptions): Promise<Outcome> {
  const client = await readClient(process.env, options);
  tidyMemoryOften();
  await readable(file);
  const paymaster = new HttpPaymaster({ ...client, onWait: (why) => say(`  ${why}`) });
  const account = await paymaster.account();
  const draft = await readPayouts(createReadStream(file), basename(file), {
    country: account.country,
    allowRepeats: options.allowRepeats === true,
  });
  const begun = await findBegun(file, draft.fileHash, account, options);
  const work = { file, draft, account, begun };
  const prepared = await preparePayouts(paymaster, account, draft, {
    begun,
    skipInvalid: options.skipInvalid === true,
    onProgress: progressOf(),
  });
  if (prepared.findings.length > 0)
    return {
      value: toJson(work, prepared),
      text: describeFindings(file, prepared.findings),
      exitCode: 1,
    };
  const review = describeReview(work, prepared);
  if (options.dryRun === true) return { value: toJson(work, prepared), text: review };
  if (begun?.endedAt === undefined || begun.endedAt === null) {
    say(review);
    const { count, total } = prepared.review;
    const out = Object.keys(prepared.leftOut).length;
    const without = out === 0 ? "" : `, and leave ${out} rows out`;
    await confirm(`Send these ${count} transfers, ${toFrancs(total)} in all${without}?`, options);
  }
  return pay(paymaster, client, work, prepared, options);
}

async function pay(
  paymaster: Paymaster,
  client: Login,
  work: Import,
  prepared: Preparation,
  options: ImportOptions,
): Promise<Outcome> {
  const { file, draft, begun } = work;
  const { columns, fileHash } = draft;
  const { payouts, leftOut } = prepared;
  if (columns === undefined) throw new Error("a file without columns was found wrong");
  const keep = (plan: Plan) => keepPlan(planPathOf(file), plan);
  const plan = begun ?? newPlan(work, prepared);
  await keepPastImport(pastImportsPath(), plan);
  await keep(plan);

  const sending = new Progress(payouts.length - plan.sentCount, "sending");
  const { plan: sent, isOutOfFunds } = await sendPayouts(paymaster, plan, payouts, async (next) => {
    await keep(next);
    sending.show(next.sentCount - plan.sentCount);
  });

  const output = options.output ?? besides(file, "-outcome.csv");
  const following = new Progress(payouts.length, "ended");
  const counts = countOutcomes();
  const outcomes = counted(followPayouts(paymaster, payouts), counts, (done) =>
    following.show(done),
  );
  await writeOutcomes({ input: file, output, fileHash, columns, payouts, leftOut }, outcomes);
  const isAtEnd = counts.pending === 0 && counts.not_sent === 0;
  const ended = { ...sent, endedAt: isAtEnd ? (sent.endedAt ?? new Date().toISOString()) : null };
  await keep(ended);
  await keepPastImport(pastImportsPath(), ended);
  const leftOutCount = Object.keys(leftOut).length;
  counts.not_sent += leftOutCount;
  const wasPaid = begun !== undefined && begun.endedAt !== null;
  const paidBefore = wasPaid ? continuation(begun, new Clock(work.account.timeZone)) : undefined;
  return {
    value: { ...toJson(work, prepared), outcome: counts, outcomeFile: output, isOutOfFunds },
    text: describeRun(counts, output, {
      isOutOfFunds,
      leftOutCount,
      paidBefore,
      again: commandFor(client, "payout", "import", file, ...wordsOf(options)),
      retry: commandFor(client, "payout", "retry", output),
    }),
    ...(counts.completed === payouts.length + leftOutCount ? {} : { exitCode: partlyFailed }),
  };
}

function wordsOf({ output, allowRepeats, skipInvalid }: ImportOptions): string[] {
  return optionWords({
    "--output": output,
    "--allow-repeats": allowRepeats,
    "--skip-invalid": skipInvalid,
  });
}

function newPlan({ file, draft, account }: Import, { review, leftOut }: Preparation): Plan {
  return {
    version: 1,
    fileHash: draft.fileHash,
    file: basename(file),
    companyId: account.companyId,
    leftOut,
    count: review.count,
    total: review.total,
    fees: review.fees,
    chunkRows: chunkRowsDefault,
    sentCount: 0,
    startedAt: new Date().toISOString(),
    endedAt: null,
  };
}

/** The plan beside the file, or one of a copy of it that was paid from this machine. */
async function findBegun(
  file: string,
  fileHash: string,
  { companyId }: Account,
  options: ImportOptions,
): Promise<Plan | undefined> {
  const beside = await findPlan(planPathOf(file));
  const past = (await readPastImports(pastImportsPath())).filter(
    (one) => one.fileHash === fileHash,
  );
  const same = [...(beside?.fileHash === fileHash ? [beside] : []), ...past];
  const begun = same.find((plan) => plan.companyId === companyId);
  if (begun !== undefined || options.new === true) return begun;
  const [other] = same;
  if (other !== undefined) throw new PaidByAnother(other.companyId, other.startedAt);
  if (beside !== undefined)
    throw new FileChanged(planPathOf(file), beside.sentCount, beside.count, beside.startedAt);
  return undefined;
}

async function* counted(
  outcomes: AsyncIterable<PayoutOutcome>,
  counts: OutcomeCounts,
  onProgress: (done: number) => void,
): AsyncGenerator<PayoutOutcome> {
  let done = 0;
  for await (const outcome of outcomes) {
    counts[outcome.status] += 1;
    done += 1;
    onProgress(done);
    yield outcome;
  }
}

function progressOf() {
  const bars = new Map<string, Progress>();
  const words = { history: "earlier payments checked", recipients: "recipients checked" } as const;
  return (stage: keyof typeof words, done: number, total: number) => {
    const bar = bars.get(stage) ?? new Progress(total, words[stage]);
    bars.set(stage, bar);
    bar.show(done);
  };
}
