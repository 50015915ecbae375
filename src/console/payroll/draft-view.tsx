import type { SubCompany } from "../../companies/sub-company.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { inLanguage } from "../../kernel/language.ts";
import type { Field as PayoutField } from "../../payouts/payout.ts";
import type { BadRow, CheckedDraft } from "../../payrolls/check-draft.ts";
import { mendedAtOnceMax } from "../../payrolls/draft.ts";
import type { ScreenContext } from "../context.ts";
import { Field, Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Notice } from "../views/notice.tsx";
import { SubCompanyField } from "../views/sub-company-field.tsx";
import type { PayrollWords } from "../words/payroll.ts";
import { draftPath } from "./paths.ts";
import { Review } from "./review-view.tsx";
import { UploadForm } from "./upload-form.tsx";

interface Props {
  readonly context: ScreenContext;
  readonly words: PayrollWords;
  readonly checked: CheckedDraft;
}

/** A draft: what is wrong with it and how to mend it, and once nothing is, what it comes to. */
export function DraftView({
  context,
  words,
  checked,
  formId,
  emails,
  line,
  subCompanies,
}: Props & {
  readonly formId: string;
  readonly emails: ReadonlyMap<string, string>;
  /** A row that somebody wants to change although nothing is wrong with it. */
  readonly line: number | undefined;
  /** In whose names it could be paid. */
  readonly subCompanies: readonly SubCompany[];
}) {
  const { draft, badRows, fileFindings, rowTotal, isReady, preparation } = checked;
  const path = draftPath(checked.draft);
  const open = draft.leavesOut ? [] : badRows;
  const asked = draft.rows
    .slice(1)
    .filter((row) => row.line === line && !open.some((bad) => bad.row.line === line))
    .map((row) => ({ row, findings: [] }));
  return (
    <>
      <div class="stack">
        <h1>{words.draftTitle(draft.name)}</h1>
        <p>{words.summary(rowTotal - badRows.length, open.length)}</p>
      </div>
      <Problems
        title={words.fileProblems}
        problems={[
          ...fileFindings.map(({ message }) => ({ text: inLanguage(context.language, message) })),
          ...(preparation.isContinued ? [{ text: words.continued }] : []),
        ]}
      />
      {draft.leavesOut && badRows.length > 0 && (
        <Notice kind="warn" text={words.leftOut(badRows.length)} />
      )}
      {subCompanies.length > 0 && (
        <section class="card">
          <Form
            context={context}
            path={`${path}/options`}
            fields={{ version: String(draft.version) }}
            submit={words.choose}
            kind="second"
          >
            <SubCompanyField
              words={words}
              companyName={context.company.name}
              subCompanies={subCompanies}
              chosen={draft.subCompanyId === null ? "" : toPublicId("subco", draft.subCompanyId)}
              problem={undefined}
            />
          </Form>
        </section>
      )}
      {asked.length > 0 && (
        <MendForm
          context={context}
          words={words}
          checked={checked}
          rows={asked}
          title={words.changeRow}
        />
      )}
      {open.length > 0 && (
        <>
          <MendForm
            context={context}
            words={words}
            checked={checked}
            rows={open}
            title={words.toMend(open.length)}
          />
          <section class="card">
            <h2>{words.mendInFile}</h2>
            <p>
              <a class="button second" href={context.href(`${path}/bad-rows.csv`)}>
                {words.download}
              </a>
            </p>
            <UploadForm
              context={context}
              path={`${path}/corrections`}
              label={words.reupload}
              hint={words.reuploadHint}
              submit={words.reuploadSend}
              kind="second"
              fields={{ version: String(draft.version) }}
            />
          </section>
        </>
      )}
      {isReady && (
        <Review context={context} words={words} checked={checked} formId={formId} emails={emails} />
      )}
      <Choices context={context} words={words} checked={checked} line={line} />
    </>
  );
}

const fields: readonly PayoutField[] = ["phone", "amount", "reference", "description"];

/** Up to fifty rows, each with its fields as they stand in the file and what is wrong with them. */
function MendForm({
  context,
  words,
  checked,
  rows,
  title,
}: Props & { readonly rows: readonly BadRow[]; readonly title: string }) {
  const { draft } = checked;
  const shown = rows.slice(0, mendedAtOnceMax);
  const id = `mend-${shown[0]?.row.line ?? 0}`;
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {rows.length > shown.length && <p class="soft">{words.onlyFirst(shown.length)}</p>}
      <Form
        context={context}
        path={`${draftPath(checked.draft)}/mend`}
        fields={{ version: String(draft.version) }}
        submit={words.save}
      >
        {shown.map((bad) => (
          <MendRow key={bad.row.line} context={context} words={words} checked={checked} bad={bad} />
        ))}
      </Form>
    </section>
  );
}

function MendRow({
  context,
  words,
  checked: { columns },
  bad: { row, findings },
}: Props & { readonly bad: BadRow }) {
  const { line } = row;
  const problemId = `problem-${line}`;
  return (
    <fieldset class="mend">
      <legend>{words.lineNumber(line)}</legend>
      {findings.length > 0 && (
        <p class="bad" id={problemId}>
          {findings.map(({ message }) => inLanguage(context.language, message)).join(" ")}
        </p>
      )}
      <div class="mend-fields">
        {fields.map((field) => {
          const place = columns?.[field];
          const isWrong = findings.some((finding) => finding.field === field);
          const id = `${field}-${line}`;
          return (
            <div class="field" key={field}>
              <label for={id}>{words[field]}</label>
              <input
                id={id}
                name={id}
                value={place === undefined ? "" : (row.cells[place] ?? "")}
                maxLength={field === "description" ? 1_000 : 255}
                autocomplete="off"
                {...(isWrong ? { "aria-invalid": "true", "aria-describedby": problemId } : {})}
              />
            </div>
          );
        })}
      </div>
      <label class="choice">
        <input type="checkbox" name={`remove-${line}`} value="yes" /> {words.remove}
      </label>
    </fieldset>
  );
}

function Choices({ context, words, checked, line }: Props & { readonly line: number | undefined }) {
  const { draft, badRows, rowTotal, columns } = checked;
  const path = `${draftPath(checked.draft)}/options`;
  const version = String(draft.version);
  const good = rowTotal - badRows.length;
  const hasRepeats = badRows.some(({ findings }) =>
    findings.some(({ code }) => code === "row_repeated"),
  );
  return (
    <section class="card">
      <h2>{words.choices}</h2>
      {columns !== undefined && (
        <form method="get" action={context.href(draftPath(draft))} class="filters">
          <Field
            id="line"
            label={words.rowToChange}
            problem={
              line === undefined || draft.rows.some((row, place) => place > 0 && row.line === line)
                ? undefined
                : words.noSuchRow
            }
          >
            {(described) => (
              <input {...described} inputMode="numeric" required pattern="\d{1,5}" value={line} />
            )}
          </Field>
          <button class="second">{words.showRow}</button>
        </form>
      )}
      <div class="row">
        {columns !== undefined && !draft.leavesOut && badRows.length > 0 && good > 0 && (
          <Form
            context={context}
            path={path}
            kind="second"
            fields={{ version, leaveOut: "yes" }}
            submit={words.leaveOut(good)}
          />
        )}
        {draft.leavesOut && (
          <Form
            context={context}
            path={path}
            kind="second"
            fields={{ version, leaveOut: "no" }}
            submit={words.takeIn}
          />
        )}
        {(hasRepeats || draft.allowsRepeats) && (
          <Form
            context={context}
            path={path}
            kind="second"
            fields={{ version, allowRepeats: draft.allowsRepeats ? "no" : "yes" }}
            submit={draft.allowsRepeats ? words.refuseRepeats : words.allowRepeats}
          />
        )}
        {draft.proposalId === null && (
          <Form
            context={context}
            path={`${draftPath(checked.draft)}/discard`}
            kind="danger"
            submit={words.discard}
          />
        )}
      </div>
    </section>
  );
}
