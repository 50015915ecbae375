import { type LogoState, logoShownBytesMax } from "../../companies/logo.ts";
import type { SubCompany } from "../../companies/sub-company.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { formatAmount, formatMoment, formatMovement } from "../../pages/format.ts";
import type { ScreenContext } from "../context.ts";
import { Form } from "../views/form.tsx";
import { Money } from "../views/money.tsx";
import { Notice } from "../views/notice.tsx";
import { Facts } from "../views/table.tsx";
import type { SubCompanyWords } from "../words/sub-companies.ts";
import { State } from "./list-page.tsx";
import { Logo, subCompaniesPath, subCompanyPath } from "./logo.tsx";
import { type Month, nameMonth } from "./read-month.ts";

const sampleAmount = 15_000;

export interface DetailProps {
  readonly context: ScreenContext;
  readonly words: SubCompanyWords;
  readonly subCompany: SubCompany;
  readonly month: Month;
  readonly logo: LogoState | undefined;
}

export function DetailPage(props: DetailProps) {
  const { context, words, subCompany } = props;
  return (
    <>
      <p>
        <a href={context.href(subCompaniesPath)}>{words.title}</a>
      </p>
      <div class="head">
        <h1>{subCompany.name}</h1>
        <State words={words} isActive={subCompany.isActive} />
      </div>
      <Preview {...props} />
      <MonthFigures {...props} />
      <Details {...props} />
      <Switch {...props} />
    </>
  );
}

/** As the payment page and the wallet show it: with our copy of the logo, or with initials where they have none. */
function Preview({ context, words, subCompany, logo }: DetailProps) {
  const frame = context.words;
  const problem = logoProblemOf(words, logo);
  const isShown = problem === undefined;
  return (
    <section class="card">
      <h2>{words.preview}</h2>
      {problem !== undefined && <Notice kind="warn" text={problem} />}
      <div class="cards">
        <figure class="preview">
          <figcaption class="soft">{words.payerSees}</figcaption>
          <p class="seen">
            <Logo context={context} subCompany={subCompany} isShown={isShown} />
            <span>
              <strong>{subCompany.name}</strong>
              <span class="soft">{words.asks}</span>
            </span>
          </p>
          <p class="large">
            <Money words={frame} francs={sampleAmount} />
          </p>
        </figure>
        <figure class="preview">
          <figcaption class="soft">{words.recipientSees}</figcaption>
          <p class="seen">
            <Logo context={context} subCompany={subCompany} isShown={isShown} />
            <span>
              <strong>{subCompany.name}</strong>
              <span class="soft">{words.sample}</span>
            </span>
            <strong class="good">{formatMovement(frame, sampleAmount)}</strong>
          </p>
        </figure>
      </div>
    </section>
  );
}

function logoProblemOf(
  { logo: said }: SubCompanyWords,
  logo: LogoState | undefined,
): string | undefined {
  if (logo?.status === "fetched") return logo.size > logoShownBytesMax ? said.large : undefined;
  return logo?.status === "failed" ? said.failed : said.waiting;
}

function MonthFigures({ context, words, subCompany, month }: DetailProps) {
  const { href, company, words: frame } = context;
  const volume = month.volumes?.get(subCompany.id);
  const money = (francs: number, note: string) => (
    <>
      <Money words={frame} francs={francs} /> <span class="soft">{note}</span>
    </>
  );
  const ofIt = { subCompany: toPublicId("subco", subCompany.id) };
  return (
    <section class="card">
      <h2>{words.volume(nameMonth(frame.locale, company.timeZone, month.begins))}</h2>
      {volume === undefined ? (
        <Notice kind="warn" text={words.notReady} />
      ) : (
        <Facts
          facts={[
            [words.columns.sent, money(volume.sent, words.transfers(volume.sentCount))],
            [
              words.columns.collected,
              money(
                volume.collected,
                [
                  words.payments(volume.collectedCount),
                  ...(volume.refunded === 0
                    ? []
                    : [words.refunds(formatAmount(frame, volume.refunded))]),
                ].join(", "),
              ),
            ],
          ]}
        />
      )}
      <p class="row">
        <a href={href("/console/transfers", ofIt)}>{words.seeTransfers}</a>
        <a href={href("/console/collections", ofIt)}>{words.seeCollections}</a>
        <a href={href("/console/statements", ofIt)}>{words.seeStatement}</a>
      </p>
    </section>
  );
}

function Details({ context, words, subCompany }: DetailProps) {
  const { words: frame, company } = context;
  const { columns } = words;
  return (
    <section class="card">
      <h2>{words.facts}</h2>
      <Facts
        facts={[
          [columns.createdAt, formatMoment(frame, company.timeZone, subCompany.createdAt)],
          [columns.updatedAt, formatMoment(frame, company.timeZone, subCompany.updatedAt)],
          [columns.logoUrl, subCompany.logoUrl],
          [columns.id, <span class="code">{toPublicId("subco", subCompany.id)}</span>],
        ]}
      />
    </section>
  );
}

/** What it would do is said beside the button. */
function Switch({ context, words, subCompany }: DetailProps) {
  const { isActive, name } = subCompany;
  const label = isActive ? words.disable : words.enable;
  return (
    <section class="card">
      <h2>{label}</h2>
      <p>{isActive ? words.disableEffect(name) : words.enableEffect(name)}</p>
      <Form
        context={context}
        path={`${subCompanyPath(subCompany)}/active`}
        submit={label}
        kind={isActive ? "danger" : "main"}
        fields={{ active: isActive ? "no" : "yes" }}
      />
    </section>
  );
}
