import { type Company, companyIdPrefix } from "../../companies/company.ts";
import { placeOfCompany } from "../../companies/find-company.ts";
import type { Price } from "../../companies/price.ts";
import type { Country } from "../../kernel/countries.ts";
import { toPublicId } from "../../kernel/ids.ts";
import type { Balances } from "../../ledger/balances.ts";
import type { BudgetState } from "../../messages/measure-budgets.ts";
import { formatAmount, formatShortMoment } from "../../pages/format.ts";
import type { Trouble } from "../../webhooks/find-troubles.ts";
import { Money } from "../views/money.tsx";
import { Status } from "../views/status.tsx";
import { Facts } from "../views/table.tsx";
import type { FrameWords } from "../words/frame.ts";
import { type OperatorCompanyWords, operatorCompanyWords } from "../words/operator-companies.ts";
import { Budgets } from "./budgets.tsx";
import type { OperatorContext } from "./operator-screen.ts";

const ppmPerPercent = 10_000;

interface CompanyFacts {
  readonly balances: Balances;
  readonly aloneMax: number;
  /** Null: keys are not concerned. */
  readonly keysAloneMax: number | null;
  readonly budgets: readonly BudgetState[];
  readonly troubles: readonly Trouble[];
}

/** What an operator has to know of a company before doing anything about it. */
export function CompanyView({
  context,
  company,
  facts: { balances, aloneMax, keysAloneMax, budgets, troubles },
  country,
}: {
  readonly context: OperatorContext;
  readonly company: Company;
  readonly facts: CompanyFacts;
  readonly country: Country;
}) {
  const { words: frame, href, timeZone, shared } = context;
  const words = operatorCompanyWords[context.language].companies;
  const id = toPublicId(companyIdPrefix, company.id);
  const place = placeOfCompany(company, country);
  return (
    <>
      <p>
        <a href={href("/console/operations/companies")}>{shared.back}</a>
      </p>
      <div class="head">
        <h1>{company.name}</h1>
        <Status
          tone={company.isFrozen ? "bad" : "good"}
          word={company.isFrozen ? words.frozen : words.open}
        />
      </div>
      <section class="card">
        <Facts
          facts={[
            [words.id, <span class="code">{id}</span>],
            [words.place, `${place.country.code}, ${place.timeZone}`],
            [words.created, formatShortMoment(frame, timeZone, company.createdAt)],
          ]}
        />
        <p>
          <a class="button second" href={href(`/console/operations/companies/${id}/freeze`)}>
            {company.isFrozen ? words.unfreeze : words.freeze}
          </a>
        </p>
      </section>
      <section class="card" aria-labelledby="accounts">
        <h2 id="accounts">{words.accounts}</h2>
        <Facts
          facts={Object.entries(balances).map(([name, francs]) => [
            words.account[name] ?? name,
            <Money words={frame} francs={francs} />,
          ])}
        />
      </section>
      <section class="card" aria-labelledby="limits">
        <h2 id="limits">{words.limits}</h2>
        <Facts
          facts={[
            ...limitsOf(company, words, frame),
            [words.alone, formatAmount(frame, aloneMax)],
            [
              words.keysAlone,
              keysAloneMax === null ? words.keysFree : formatAmount(frame, keysAloneMax),
            ],
          ]}
        />
        <p class="soft">{words.limitsHint}</p>
      </section>
      <Budgets words={shared.health} caption={words.messages} budgets={budgets} />
      <section class="card" aria-labelledby="troubles">
        <h2 id="troubles">{words.troubles}</h2>
        {troubles.length === 0 && <p>{words.noTroubles}</p>}
        <ul class="tasks">
          {troubles.map(({ webhookId, url, topic, failingSince, disabledReason }) => (
            <li key={webhookId}>
              <a href={href(`/console/operations/endpoints/${webhookId}`)}>{url}</a>{" "}
              <span class="soft">
                {topic}
                {disabledReason !== null && ` · ${disabledReason}`}
                {failingSince !== null &&
                  ` · ${shared.since} ${formatShortMoment(frame, timeZone, failingSince)}`}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function limitsOf(
  { transferFee: fee, transferAmount, chargeAmount, chargeFeeRatePpm }: Price,
  words: OperatorCompanyWords["companies"],
  frame: FrameWords,
): [string, string][] {
  const francs = (amount: number) => formatAmount(frame, amount);
  const parts = [
    words.percent(fee.ratePpm / ppmPerPercent),
    ...(fee.flat > 0 ? [words.plus(francs(fee.flat))] : []),
    ...(fee.min > 0 ? [words.atLeast(francs(fee.min))] : []),
    ...(fee.max === null ? [] : [words.atMost(francs(fee.max))]),
  ];
  return [
    [words.transferAmount, words.between(francs(transferAmount.min), francs(transferAmount.max))],
    [words.transferFee, parts.join(", ")],
    [words.chargeAmount, words.between(francs(chargeAmount.min), francs(chargeAmount.max))],
    [words.chargeFee, words.percent(chargeFeeRatePpm / ppmPerPercent)],
  ];
}
