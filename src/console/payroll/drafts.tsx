import { randomUUID } from "node:crypto";
import { getActiveSubCompany } from "../../companies/find-company.ts";
import { listSubCompanies } from "../../companies/sub-companies.ts";
import { subCompanyIdPrefix } from "../../companies/sub-company.ts";
import type { App } from "../../http/server.ts";
import { parsePublicId } from "../../kernel/ids.ts";
import { unpackRows } from "../../payrolls/cells.ts";
import { type Checking, checkDraft } from "../../payrolls/check-draft.ts";
import { draftIdPrefix, mendedAtOnceMax, payrollBytesMax } from "../../payrolls/draft.ts";
import { DraftNotFound, DraftNotReady } from "../../payrolls/errors.ts";
import { readInThread } from "../../payrolls/file-reader.ts";
import { handInDraft } from "../../payrolls/hand-in.ts";
import { changeDraft, createDraft, discardDraft, getDraft } from "../../payrolls/keep-drafts.ts";
import { badRowsFile, type Mended, mendRows, putBack } from "../../payrolls/mend-draft.ts";
import { emailsOf } from "../../staff/people.ts";
import { attempt } from "../attempt.ts";
import type { ActionContext, ScreenContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { action, screen } from "../screen.ts";
import { sendFile } from "../send-file.ts";
import { payrollWords } from "../words/payroll.ts";
import { DraftView } from "./draft-view.tsx";
import { draftPath, payrollPath, runPath } from "./paths.ts";
import { withUpload } from "./upload.ts";

/** A choice of more than these is no choice. */
const subCompaniesOffered = 100;
/** What is prepared waits for somebody who approves it with a proof for exactly that. */
const prepare = { may: "transfers.propose", proof: "none" } as const;
/** The envelope of a form around a file of the largest size. */
const uploadBytesMax = payrollBytesMax + 64 * 1024;
/** A form with fifty rows of four fields, as long as they may be. */
const mendBytesMax = 512 * 1024;

function idOf({ params }: ScreenContext): string {
  const id = parsePublicId(draftIdPrefix, params["id"] ?? "");
  if (id === undefined) throw new DraftNotFound();
  return id;
}

/** Of the draft that the form was made from. */
function versionIn(fields: URLSearchParams): number {
  const text = fields.get("version") ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

export function draftScreens(app: App, parts: ConsoleParts): void {
  const { database, config, desk } = parts;
  const checking: Checking = { database, policy: config };
  const here = `${payrollPath}/drafts/:id`;

  action(
    app,
    parts,
    `${payrollPath}/upload`,
    { ...prepare, bytesMax: uploadBytesMax },
    async (context) =>
      attempt(context, payrollPath, async () => {
        const { request, company, by, seeOther } = context;
        const id = await withUpload(request, company.id, async (file) =>
          createDraft(database, company.id, by, await readInThread(file)),
        );
        return seeOther(draftPath({ id }));
      }),
  );

  screen(app, parts, here, prepare, async (context) => {
    const { company, language, query, send } = context;
    const words = payrollWords[language];
    const draft = await getDraft(database, company.id, idOf(context));
    const checked = await checkDraft(checking, company.id, draft);
    const emails = await emailsOf(
      database,
      checked.earlier.map(({ madeBy }) => madeBy),
    );
    const asked = query.get("line") ?? "";
    const line = /^\d{1,5}$/.test(asked) ? Number(asked) : undefined;
    const { rows } = await listSubCompanies(database, company.id, { limit: subCompaniesOffered });
    const subCompanies = rows;
    const view = { context, words, checked, emails, line, subCompanies, formId: randomUUID() };
    return send({ title: words.draftTitle(draft.name), content: <DraftView {...view} /> });
  });

  /** In whose name it is to be paid; null: the company's own. */
  const chosen = async ({ company }: ActionContext, text: string): Promise<string | null> => {
    if (text === "") return null;
    const id = parsePublicId(subCompanyIdPrefix, text);
    return (await getActiveSubCompany(database, company.id, id)).id;
  };

  screen(app, parts, `${here}/bad-rows.csv`, prepare, async (context) => {
    const { company, reply } = context;
    const draft = await getDraft(database, company.id, idOf(context));
    const { columns, badRows } = await checkDraft(checking, company.id, draft);
    if (columns === undefined) throw new DraftNotReady();
    return sendFile(reply, "lignes-a-corriger.csv", badRowsFile(columns, badRows));
  });

  action(app, parts, `${here}/mend`, { ...prepare, bytesMax: mendBytesMax }, async (context) =>
    change(context, async (edit) => {
      const draft = await getDraft(database, edit.companyId, edit.draftId);
      const { columns } = await checkDraft(checking, edit.companyId, draft);
      if (columns === undefined) throw new DraftNotReady();
      return { rows: mendRows(draft.rows, columns, mendedIn(context.form)) };
    }),
  );

  action(
    app,
    parts,
    `${here}/corrections`,
    { ...prepare, bytesMax: uploadBytesMax },
    async (context) =>
      change(context, async (edit) => {
        // First whether there is such a draft: what is another company's is unknown, whatever is sent to it.
        const draft = await getDraft(database, edit.companyId, edit.draftId);
        const { packed } = await withUpload(context.request, edit.companyId, readInThread);
        const sent = await unpackRows(packed);
        const { columns } = await checkDraft(checking, edit.companyId, draft);
        if (columns === undefined) throw new DraftNotReady();
        return { rows: putBack(draft.rows, columns, sent) };
      }),
  );

  action(app, parts, `${here}/options`, prepare, async (context) =>
    change(context, async (edit) => {
      // First whether there is such a draft: what is another company's is unknown, whatever is chosen for it.
      await getDraft(database, edit.companyId, edit.draftId);
      const [leaveOut, allowRepeats, subCompany] = ["leaveOut", "allowRepeats", "subCompany"].map(
        (name) => context.form.get(name),
      );
      return {
        ...(subCompany == null ? {} : { subCompanyId: await chosen(context, subCompany) }),
        ...(leaveOut == null ? {} : { leavesOut: leaveOut === "yes" }),
        ...(allowRepeats == null ? {} : { allowsRepeats: allowRepeats === "yes" }),
      };
    }),
  );

  action(app, parts, `${here}/discard`, prepare, async (context) => {
    const { company, language, seeOther } = context;
    const id = idOf(context);
    return attempt(context, draftPath({ id }), async () => {
      await discardDraft(database, company.id, id);
      return seeOther(payrollPath, { kind: "good", text: payrollWords[language].discarded });
    });
  });

  action(app, parts, `${here}/submit`, prepare, async (context) => {
    const { company, by, form, language, seeOther } = context;
    const words = payrollWords[language];
    const draftId = idOf(context);
    return attempt(context, draftPath({ id: draftId }), async () => {
      const proposal = await handInDraft(desk, checking, {
        companyId: company.id,
        draftId,
        by,
        formId: formIdIn(form),
        version: versionIn(form),
        priceNumber: Number(form.get("price")),
      });
      const text = proposal.state === "waiting" ? words.submitted : words.sentAlone;
      return seeOther(runPath(proposal), { kind: "good", text });
    });
  });

  /** Changes the draft as it was when the form was made, and shows it again. */
  async function change(
    context: ActionContext,
    edit: (of: {
      readonly companyId: string;
      readonly draftId: string;
    }) => Promise<Partial<Parameters<typeof changeDraft>[1]>>,
  ) {
    const draftId = idOf(context);
    const { company, by, form, query, language, seeOther } = context;
    const back = draftPath({ id: draftId });
    return attempt(context, back, async () => {
      const changes = await edit({ companyId: company.id, draftId });
      const version = versionIn(form.has("version") ? form : query);
      await changeDraft(database, { companyId: company.id, draftId, by, version, ...changes });
      return seeOther(back, { kind: "good", text: payrollWords[language].mended });
    });
  }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function formIdIn(form: URLSearchParams): string {
  const text = form.get("form") ?? "";
  return uuid.test(text) ? text : randomUUID();
}

/** What was typed, line by line. */
function mendedIn(form: URLSearchParams): ReadonlyMap<number, Mended> {
  const mended = new Map<number, Record<string, string> | null>();
  for (const [name, value] of form) {
    const [, field = "", digits = ""] =
      /^(phone|amount|reference|description|remove)-(\d{1,9})$/.exec(name) ?? [];
    if (field === "") continue;
    const line = Number(digits);
    if (mended.size >= mendedAtOnceMax && !mended.has(line)) continue;
    const before = mended.get(line);
    if (field === "remove" || before === null) mended.set(line, null);
    else mended.set(line, { ...before, [field]: value });
  }
  return mended;
}
