import type { HeldDecision } from "../../approvals/held.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { formatMoment } from "../../pages/format.ts";
import { createdAtOf, serviceReferenceOf, type Transfer } from "../../transfers/transfer.ts";
import { heldPath } from "../approvals/held-scope.ts";
import type { ScreenContext } from "../context.ts";
import { Money } from "../views/money.tsx";
import { Phone } from "../views/phone.tsx";
import { Status } from "../views/status.tsx";
import { type Step, Steps } from "../views/steps.tsx";
import { Facts } from "../views/table.tsx";
import type { TransferWords } from "../words/transfers.ts";
import { tones } from "./list-page.tsx";
import { newTransferPath, transfersPath } from "./paths.ts";

export function DetailPage({
  context,
  words,
  transfer,
  hold,
  subCompanyName,
  steps,
}: {
  readonly context: ScreenContext;
  readonly words: TransferWords;
  readonly transfer: Transfer;
  /** Whether it waits for a person, or what that person said; undefined: it was never held. */
  readonly hold: { readonly decision: HeldDecision | null } | undefined;
  readonly subCompanyName: string | undefined;
  readonly steps: readonly Step[];
}) {
  const { href, company, words: frame } = context;
  const { columns } = words;
  const id = toPublicId("txn", transfer.id);
  const { failureReason, batchId } = transfer;
  const batch = batchId === null ? undefined : toPublicId("bat", batchId);
  const isHeld = transfer.status === "pending" && hold?.decision === null;
  const reason =
    failureReason === null || hold?.decision?.verdict === "refused"
      ? words.refused
      : words.reasons[failureReason];
  return (
    <>
      <p>
        <a href={href(transfersPath)}>{words.title}</a>
      </p>
      <div class="head">
        <h1>{words.detail(transfer.reference)}</h1>
        <Status tone={tones[transfer.status]} word={words.statuses[transfer.status]} />
      </div>
      <p class="large">
        <Money words={frame} francs={transfer.amount} />
      </p>
      {isHeld && (
        <section class="notice warn">
          <h2>{words.held.what}</h2>
          <p>{words.held.next}</p>
          {(context.may("approvals.decide") || context.may("transfers.propose")) && (
            <p>
              <a
                class="button"
                href={href(heldPath, batch === undefined ? { transaction: id } : { batch })}
              >
                {words.held.review}
              </a>
            </p>
          )}
        </section>
      )}
      {failureReason !== null && (
        <section class="notice bad">
          <h2>{reason.what}</h2>
          <p>{reason.next}</p>
          {context.may("transfers.propose") && (
            <>
              <p>
                <a class="button" href={href(newTransferPath, { redo: id })}>
                  {words.redo}
                </a>
              </p>
              <p class="soft">{words.redoHint}</p>
            </>
          )}
        </section>
      )}
      <section class="card">
        <h2>{words.timeline}</h2>
        <Steps context={context} steps={steps} />
      </section>
      <section class="card">
        <h2>{words.facts}</h2>
        <Facts
          facts={[
            [columns.recipient, <Phone msisdn={transfer.msisdn} />],
            [columns.amount, <Money words={frame} francs={transfer.amount} />],
            [columns.fee, <Money words={frame} francs={transfer.fee} />],
            [columns.total, <Money words={frame} francs={transfer.amount + transfer.fee} />],
            [columns.createdAt, formatMoment(frame, company.timeZone, createdAtOf(transfer))],
            [columns.reference, transfer.reference],
            [
              columns.serviceReference,
              <>
                <span class="code">{serviceReferenceOf(transfer)}</span>{" "}
                <span class="soft">{words.serviceReferenceHint}</span>
              </>,
            ],
            ...(transfer.description === null
              ? []
              : [[columns.description, transfer.description] as const]),
            ...(subCompanyName === undefined
              ? []
              : [[columns.subCompany, subCompanyName] as const]),
            ...(batch === undefined
              ? []
              : [[columns.batch, <a href={href(transfersPath, { batch })}>{batch}</a>] as const]),
            [columns.id, <span class="code">{id}</span>],
          ]}
        />
      </section>
    </>
  );
}
