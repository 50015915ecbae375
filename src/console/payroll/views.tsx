import type { Proposal } from "../../approvals/proposal.ts";
import { formatShortMoment } from "../../pages/format.ts";
import type { DraftSummary } from "../../payrolls/draft.ts";
import type { ScreenContext } from "../context.ts";
import { EmptyState } from "../views/empty-state.tsx";
import { Money } from "../views/money.tsx";
import { Pager } from "../views/pager.tsx";
import { Status, type Tone } from "../views/status.tsx";
import { Table } from "../views/table.tsx";
import type { PayrollWords } from "../words/payroll.ts";
import { draftPath, payrollPath, runPath } from "./paths.ts";
import { UploadForm } from "./upload-form.tsx";

export const tones: Readonly<Record<Proposal["state"], Tone>> = {
  waiting: "wait",
  refused: "bad",
  withdrawn: "idle",
  approved: "wait",
  stopped: "bad",
  lapsed: "idle",
  carried_out: "good",
};

export function momentOf({ words, company }: ScreenContext, at: Date): string {
  return formatShortMoment(words, company.timeZone, at);
}

/** Files, drafts and payrolls: where a payroll begins and is found again. */
export function PayrollList({
  context,
  words,
  drafts,
  payrolls,
  emails,
  newer,
  older,
}: {
  readonly context: ScreenContext;
  readonly words: PayrollWords;
  readonly drafts: readonly DraftSummary[];
  readonly payrolls: readonly { readonly proposal: Proposal; readonly at: Date }[];
  readonly emails: ReadonlyMap<string, string>;
  readonly newer: string | undefined;
  readonly older: string | undefined;
}) {
  const { href } = context;
  return (
    <>
      <div class="stack">
        <h1>{words.title}</h1>
        <p>{words.lead}</p>
      </div>
      <section class="card" aria-labelledby="upload">
        <h2 id="upload">{words.upload}</h2>
        <UploadForm
          context={context}
          path={`${payrollPath}/upload`}
          label={words.file}
          hint={words.fileHint}
          submit={words.send}
        />
        <p class="soft">
          {words.templates} <a href={href(`${payrollPath}/template.csv`)}>{words.templateCsv}</a> ·{" "}
          <a href={href(`${payrollPath}/template.xlsx`)}>{words.templateXlsx}</a>
        </p>
      </section>
      {drafts.length > 0 && (
        <section class="stack">
          <Table
            caption={words.drafts}
            rows={drafts}
            keyOf={({ id }) => id}
            columns={[
              {
                key: "name",
                title: words.name,
                isHead: true,
                cell: ({ id, name }) => <a href={href(draftPath({ id }))}>{name}</a>,
              },
              {
                key: "by",
                title: words.by,
                cell: ({ madeBy }) => emails.get(madeBy) ?? words.nobody,
              },
              {
                key: "changed",
                title: words.changed,
                cell: ({ changedAt }) => momentOf(context, changedAt),
              },
            ]}
          />
          <p class="soft">{words.draftsHint}</p>
        </section>
      )}
      {payrolls.length === 0 ? (
        <EmptyState title={words.none} text={words.noneText} />
      ) : (
        <Table
          caption={words.payrolls}
          rows={payrolls}
          keyOf={({ proposal }) => proposal.id}
          columns={[
            {
              key: "name",
              title: words.name,
              isHead: true,
              cell: ({ proposal: { id, title } }) => <a href={href(runPath({ id }))}>{title}</a>,
            },
            { key: "asked", title: words.asked, cell: ({ at }) => momentOf(context, at) },
            {
              key: "by",
              title: words.by,
              cell: ({ proposal: { madeBy } }) => emails.get(madeBy) ?? words.nobody,
            },
            {
              key: "count",
              title: words.count,
              isNumber: true,
              cell: ({ proposal: { rowTotal } }) => rowTotal,
            },
            {
              key: "total",
              title: words.total,
              isNumber: true,
              cell: ({ proposal: { totalAmount } }) => (
                <Money words={context.words} francs={totalAmount} />
              ),
            },
            {
              key: "state",
              title: words.state,
              cell: ({ proposal: { state } }) => (
                <Status tone={tones[state]} word={words.states[state]} />
              ),
            },
          ]}
        />
      )}
      <Pager words={context.words} newer={newer} older={older} />
    </>
  );
}
